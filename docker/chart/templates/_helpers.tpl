{{- define "ats.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* Labels that never change, so that Deployments can select by them. Called with (dict "root" $ "app" "api"). */}}
{{- define "ats.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .app }}
{{- end }}

{{- define "ats.labels" -}}
{{ include "ats.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: {{ .root.Chart.Name }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{/* The labels that identify the series of this release. The PodMonitor sets them. */}}
{{- define "ats.seriesLabels" -}}
namespace: {{ .Release.Namespace | quote }}
app_kubernetes_io_instance: {{ .Release.Name | quote }}
{{- end }}

{{/* The labels that identify the series of this release, as matchers in PromQL. */}}
{{- define "ats.series" -}}
namespace={{ .Release.Namespace | quote }},app_kubernetes_io_instance={{ .Release.Name | quote }}
{{- end }}

{{- define "ats.image" -}}
{{- if .image.digest }}{{ .image.repository }}@{{ .image.digest }}{{ else }}{{ .image.repository }}:{{ default .root.Chart.AppVersion .image.tag }}{{ end }}
{{- end }}

{{- define "ats.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}{{ default (include "ats.fullname" .) .Values.serviceAccount.name }}{{ else }}{{ default "default" .Values.serviceAccount.name }}{{ end }}
{{- end }}

{{- define "ats.secretName" -}}
{{- if and .Values.existingSecret .Values.secrets }}{{ fail "existingSecret and secrets are set: set only one of them" }}{{ end }}
{{- if not (or .Values.existingSecret .Values.secrets) }}{{ fail "existingSecret is required: a Secret with DATABASE_URL, REDIS_URL and SECRET_KEY" }}{{ end }}
{{- default (include "ats.fullname" .) .Values.existingSecret }}
{{- end }}

{{/* A map of the app's variables that are not secret. files/variables.json follows the apps' configuration. */}}
{{- define "ats.config" -}}
{{- $variables := .root.Files.Get "files/variables.json" | fromJson }}
{{- $config := dict }}
{{- range $name := index $variables.readBy .app }}
{{- if hasKey $.root.Values.config $name }}{{ $_ := set $config $name (index $.root.Values.config $name) }}{{ end }}
{{- end }}
{{- toYaml $config }}
{{- end }}

{{/* The secrets that the app reads. */}}
{{- define "ats.secretEnv" -}}
{{- $variables := .root.Files.Get "files/variables.json" | fromJson }}
{{- range $name := index $variables.readBy .app }}
{{- if has $name $variables.secrets }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ $.secretName }}
      key: {{ if and (eq $.app "api") (eq $name "DATABASE_URL") }}{{ $.root.Values.api.databaseUrlKey }}{{ else }}{{ $name }}{{ end }}
      optional: {{ not (has $name $variables.required) }}
{{- end }}
{{- end }}
{{- end }}

{{/* HTTPS when the apps serve HTTPS: with a TLS Secret, or with files of extraVolumes that config names. */}}
{{- define "ats.scheme" -}}
{{- if or .Values.tls.secretName (hasKey .Values.config "TLS_CERT_FILE") }}HTTPS{{ else }}HTTP{{ end }}
{{- end }}

{{- define "ats.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "ats.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
privileged: false
capabilities: { drop: [ALL] }
{{- end }}

{{/* Scales up fast, because subscribers wait, and down slowly, because load comes in waves. */}}
{{- define "ats.notifierBehavior" -}}
scaleUp:
  stabilizationWindowSeconds: 30
  policies: [{ type: Pods, value: 2, periodSeconds: 60 }]
scaleDown:
  stabilizationWindowSeconds: 600
  policies: [{ type: Pods, value: 1, periodSeconds: 120 }]
{{- end }}
