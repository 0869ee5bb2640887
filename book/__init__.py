"""The chapters, and in `site` what the build adds to Jupyter Book."""
