# The HTTP API. It also holds the migrate command, see compose.yaml.
#   docker build -f docker/api.Dockerfile -t ats-api .
# The stages up to "build" are the same for every app, so that they are built once.
# `npm test` runs these steps without a container engine: RUN lines stay below WORKDIR and work in any POSIX shell.

FROM node:24.21.0-slim AS manifests
WORKDIR /workspace
COPY package.json package-lock.json .npmrc ./
COPY apps ./apps
COPY libs ./libs
RUN find apps libs -type f -not -name package.json -delete

FROM node:24.21.0-slim AS build
WORKDIR /workspace
COPY --from=manifests /workspace ./
RUN npm ci --loglevel=error
COPY nx.json tsconfig.base.json tsconfig.json ./
COPY apps ./apps
COPY libs ./libs
RUN npx nx run-many -t build
RUN rm -rf apps/*/node_modules libs/*/node_modules
RUN find apps libs -type f -not -path '*/dist/*.js' -not -path '*/dist/*.js.map' -not -path '*/dist/*.json' -delete

FROM node:24.21.0-slim AS production
WORKDIR /workspace
COPY --from=manifests /workspace ./
RUN npm ci --omit=dev --omit=optional --loglevel=error -w @ats/api
COPY --from=build /workspace/apps ./apps
COPY --from=build /workspace/libs ./libs
# npm links the projects that this app needs; the others go.
RUN for project in apps/* libs/*; do test -d "node_modules/@ats/$(basename "$project")" || rm -r "$project"; done
RUN find apps libs -type d -empty -delete

FROM node:24.21.0-slim
ENV NODE_ENV=production
ENV PORT=3000
WORKDIR /app
COPY --from=production /workspace ./
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "apps/api/dist/main.js"]
