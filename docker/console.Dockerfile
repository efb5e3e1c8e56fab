# The web console. It has no API: a proxy leads /console to this container and the other paths to the API, or
# CONSOLE_API_URL names the API.
#   docker build -f docker/console.Dockerfile -t ats-console .
# The stages up to "build" are the same in api.Dockerfile, so that a container engine builds them once. `npm test`
# compares the files.

ARG BASE=node:24.21.0-slim

FROM ${BASE} AS manifests
WORKDIR /workspace
COPY package.json package-lock.json .npmrc ./
COPY apps ./apps
COPY libs ./libs
RUN find apps libs -type f -not -name package.json -delete

FROM ${BASE} AS build
WORKDIR /workspace
COPY --from=manifests /workspace ./
RUN npm ci --loglevel=error
COPY nx.json tsconfig.base.json tsconfig.json README.md ./
COPY docs ./docs
COPY apps ./apps
COPY libs ./libs
RUN npx nx run-many -t build
RUN rm -rf apps/*/node_modules libs/*/node_modules
RUN find apps libs -type f -not -path '*/dist/*.js' -not -path '*/dist/*.js.map' -not -path '*/dist/*.json' -not -path 'apps/docs/dist/site/*' -not -path 'apps/console/dist/site/*' -delete

FROM ${BASE} AS production
WORKDIR /workspace
COPY --from=manifests /workspace ./
# `npm ci --omit=dev` alone would also install packages that the console needs only for its build, because other
# projects need them at runtime.
RUN npm pkg delete devDependencies --workspaces --include-workspace-root
RUN npm ci --omit=dev --omit=optional --loglevel=error -w @ats/console
# Removes files of packages that Node never reads. Licences stay, and our own source maps stay for stack traces.
RUN find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.md' \) -not -iname 'licen[cs]e*' -not -iname 'notice*' -delete
COPY --from=build /workspace/apps ./apps
COPY --from=build /workspace/libs ./libs
# npm has linked the projects that this app needs. This step removes all other projects.
RUN for project in apps/* libs/*; do test -d "node_modules/@ats/$(basename "$project")" || rm -r "$project"; done
RUN find apps libs -type d -empty -delete
# The server sends these compressed copies to clients that accept gzip.
RUN find apps/console/dist/site -type f -name '*.[jc]s*' -exec gzip --keep --best {} +
# The list of all packages with versions, licences and hashes, in CycloneDX. `npm sbom --omit=dev` also omits packages
# that another project needs for development. Only runtime packages are installed here, so the list needs no `--omit`.
RUN npm pkg delete devDependencies --workspaces --include-workspace-root
RUN npm sbom --sbom-format=cyclonedx --workspace=@ats/console > sbom.cdx.json
# All users may read the files and none may write them, regardless of the modes in the working copy.
RUN chmod -R a=rX .

FROM ${BASE}
ARG VERSION=unknown
ARG REVISION=unknown
ARG CREATED=unknown
ARG BASE
LABEL org.opencontainers.image.title="ats-console"
LABEL org.opencontainers.image.description="The web console of the applicant tracking service"
LABEL org.opencontainers.image.version="${VERSION}"
LABEL org.opencontainers.image.revision="${REVISION}"
LABEL org.opencontainers.image.created="${CREATED}"
LABEL org.opencontainers.image.base.name="${BASE}"
ENV NODE_ENV=production
ENV CONSOLE_PORT=3003
WORKDIR /app
COPY --from=production /workspace ./
# The user "node", by number: with runAsNonRoot, Kubernetes refuses a name.
USER 1000:1000
EXPOSE 3003
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["node", "-e", "require('http').get({ port: process.env.CONSOLE_PORT, path: '/health/live' }, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "apps/console/dist/server/main.js"]
