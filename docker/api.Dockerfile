# The HTTP API. The image also contains the migrate command: node libs/domain/dist/cli/migrate.js
#   docker build -f docker/api.Dockerfile -t ats-api .
# The stages up to "build" are the same in notifier.Dockerfile, so that a container engine builds them once. `npm test`
# compares the two files.

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
RUN npm ci --omit=dev --omit=optional --loglevel=error -w @ats/api
# Removes files of packages that Node never reads. Licences stay, and our own source maps stay for stack traces.
RUN find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.md' \) -not -iname 'licen[cs]e*' -not -iname 'notice*' -delete
COPY --from=build /workspace/apps ./apps
COPY --from=build /workspace/libs ./libs
# npm has linked the projects that this app needs. This step removes all other projects.
RUN for project in apps/* libs/*; do test -d "node_modules/@ats/$(basename "$project")" || rm -r "$project"; done
# The documentation site, which the API serves at /docs.
COPY --from=build /workspace/apps/docs/dist/site ./apps/docs/dist/site
COPY --from=build /workspace/apps/console/dist/site ./apps/console/dist/site
RUN find apps libs -type d -empty -delete
# The list of all packages with versions, licences and hashes, in CycloneDX. `npm sbom --omit=dev` also omits packages
# that another project needs for development. Only runtime packages are installed here, so the list needs no `--omit`.
RUN npm pkg delete devDependencies --workspaces --include-workspace-root
RUN npm sbom --sbom-format=cyclonedx --workspace=@ats/api > sbom.cdx.json
# All users may read the files and none may write them, regardless of the modes in the working copy.
RUN chmod -R a=rX .
RUN mkdir -p /documents

FROM ${BASE}
ARG VERSION=unknown
ARG REVISION=unknown
ARG CREATED=unknown
ARG BASE
LABEL org.opencontainers.image.title="ats-api"
LABEL org.opencontainers.image.description="The HTTP API of the applicant tracking service, and its migrate command"
LABEL org.opencontainers.image.version="${VERSION}"
LABEL org.opencontainers.image.revision="${REVISION}"
LABEL org.opencontainers.image.created="${CREATED}"
LABEL org.opencontainers.image.base.name="${BASE}"
ENV NODE_ENV=production
# Logs, metrics and traces report RELEASE as the running release.
ENV RELEASE=${VERSION}
ENV PORT=3000
WORKDIR /app
COPY --from=production /workspace ./
# The only folder that the user may write. Mount a lasting volume here: it holds the documents.
COPY --from=production --chown=1000:1000 /documents /var/lib/ats/documents
# The user "node", by number: with runAsNonRoot, Kubernetes refuses a name.
USER 1000:1000
EXPOSE 3000
# The health check uses HTTPS when the app does. It does not verify the certificate, which names the public address.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["node", "-e", "const { PORT: port, TLS_CERT_FILE: cert } = process.env; require(cert ? 'https' : 'http').get({ port, path: '/health/live', rejectUnauthorized: false }, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "apps/api/dist/main.js"]
