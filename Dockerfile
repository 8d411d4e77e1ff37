# The image of the cloud controller manager: Node, one file of JavaScript and certificates. No shell, no package manager.

FROM node:24.22.3-bookworm-slim AS build
WORKDIR /src
COPY . .
ARG VERSION=
ARG COMMIT=
ARG BUILD_DATE=
RUN npm ci --no-audit --no-fund && npm run bundle

FROM node:24.22.3-bookworm-slim AS runtime
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates
# Node and the libraries that it loads, where it looks for them.
RUN set -eu; \
    for file in /usr/local/bin/node $(ldd /usr/local/bin/node | grep -o '/[^ ]*'); do \
      mkdir -p "/root-of-image$(dirname "$file")"; \
      cp --dereference "$file" "/root-of-image$file"; \
    done; \
    mkdir -p /root-of-image/etc/ssl/certs /root-of-image/tmp /root-of-image/home/nonroot; \
    cp /etc/ssl/certs/ca-certificates.crt /root-of-image/etc/ssl/certs/; \
    chmod 1777 /root-of-image/tmp; \
    chown 65532:65532 /root-of-image/home/nonroot

FROM scratch
LABEL org.opencontainers.image.title="cloudstack-ccm" \
      org.opencontainers.image.description="The cloud controller manager that connects Kubernetes to Apache CloudStack" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=runtime /root-of-image /
COPY deploy/image/passwd /etc/passwd
COPY LICENSE NOTICE /app/
COPY deploy/image/package.json /app/package.json
COPY --from=build /src/dist/cloudstack-ccm.js /app/cloudstack-ccm.js
COPY --chmod=755 deploy/image/cloudstack-ccm /app/cloudstack-ccm
# Certificate authorities of the system, for a CloudStack behind a public certificate and those added by a derived image.
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
# One arena for native memory: threads of V8 and of OpenSSL would each keep their own.
ENV MALLOC_ARENA_MAX=1
USER 65532:65532
EXPOSE 10258
ENTRYPOINT ["/app/cloudstack-ccm", "--cloud-provider", "external-cloudstack"]
