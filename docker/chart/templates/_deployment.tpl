{{/*
The Deployment of one app. Called with (dict "root" $ "app" "api" "port" 3000 "readyAt" "/health/serving" "replicas" 2).
With an autoscaler, replicas is "".
*/}}
{{- define "ats.deployment" -}}
{{- $values := index .root.Values .app }}
{{- $name := printf "%s-%s" (include "ats.fullname" .root) .app }}
{{- $isConsole := eq .app "console" }}
{{- $tls := ternary "" .root.Values.tls.secretName $isConsole }}
{{- $scheme := ternary "HTTP" (include "ats.scheme" .root) $isConsole }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels:
    {{- include "ats.labels" . | nindent 4 }}
spec:
  {{- if ne (toString .replicas) "" }}
  replicas: {{ .replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  selector:
    matchLabels:
      {{- include "ats.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "ats.labels" . | nindent 8 }}
      annotations:
        # A change of the configuration replaces the pods. The chart does not detect a change of an existing Secret; see
        # docker/README.md, "Kubernetes".
        checksum/config: {{ include "ats.config" . | sha256sum }}
        {{- if .root.Values.secrets }}
        checksum/secrets: {{ toYaml .root.Values.secrets | sha256sum }}
        {{- end }}
        {{- with $values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "ats.serviceAccountName" .root }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      # The grace period adds 30 s for the app and 10 s for a busy node.
      terminationGracePeriodSeconds: {{ add .root.Values.shutdown.preStop 40 }}
      securityContext:
        {{- include "ats.podSecurityContext" . | nindent 8 }}
      {{- with .root.Values.image.pullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      topologySpreadConstraints:
        {{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
        - topologyKey: {{ $key }}
          maxSkew: 1
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "ats.selector" $ | nindent 14 }}
          matchLabelKeys: [pod-template-hash]
        {{- end }}
      containers:
        - name: {{ .app }}
          image: {{ include "ats.image" (dict "root" .root "image" $values.image) }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          ports:
            - { name: http, containerPort: {{ .port }}, protocol: TCP }
          envFrom:
            - configMapRef: { name: {{ $name }} }
          env:
            {{- if and $isConsole (not $values.extraEnv) }}
            []
            {{- else if not $isConsole }}
            {{- include "ats.secretEnv" (dict "root" .root "app" .app "secretName" (include "ats.secretName" .root)) | trim | nindent 12 }}
            {{- end }}
            {{- if $tls }}
            - { name: TLS_CERT_FILE, value: /run/tls/tls.crt }
            - { name: TLS_KEY_FILE, value: /run/tls/tls.key }
            {{- end }}
            {{- with $values.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          startupProbe:
            httpGet: { path: /health/live, port: http, scheme: {{ $scheme }} }
            periodSeconds: 2
            timeoutSeconds: 5
            failureThreshold: 60
          # An API is ready once it finds the migrations. When PostgreSQL or Redis is unavailable later, all pods are
          # affected at once, and error answers of the API are better than no answers. A notifier gets no requests: it
          # is ready when all servers are available.
          readinessProbe:
            httpGet: { path: {{ .readyAt }}, port: http, scheme: {{ $scheme }} }
            periodSeconds: 5
            timeoutSeconds: 5
            failureThreshold: 2
          livenessProbe:
            httpGet: { path: /health/live, port: http, scheme: {{ $scheme }} }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          lifecycle:
            preStop:
              exec: { command: [sleep, {{ .root.Values.shutdown.preStop | toString | quote }}] }
          resources:
            {{- toYaml $values.resources | nindent 12 }}
          securityContext:
            {{- include "ats.securityContext" . | nindent 12 }}
          {{- if or $tls $values.extraVolumeMounts }}
          volumeMounts:
            {{- if $tls }}
            - { name: tls, mountPath: /run/tls, readOnly: true }
            {{- end }}
            {{- with $values.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          {{- end }}
      {{- if or $tls $values.extraVolumes }}
      volumes:
        {{- if $tls }}
        - { name: tls, secret: { secretName: {{ $tls }}, defaultMode: 0440 } }
        {{- end }}
        {{- with $values.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- end }}
      {{- with $values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end }}
