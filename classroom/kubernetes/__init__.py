"""Give each reader of a class a pod of a Kubernetes cluster, by the chart Zero to JupyterHub.

`values.yaml` has the settings of the chart. `python -m classroom.kubernetes` runs in the pod; the
stage `classroom` of the Dockerfile makes its image. docs/thousand-readers.md says what it needs.
"""
