"""What figures call the scores: in tables as in the menus, whose words `web/words` holds."""

SCORE_WORDS = {
    "en": {
        "dot": "dot product",
        "scaled_dot": "scaled dot product",
        "bilinear": "bilinear",
        "additive": "additive",
        "gaussian": "Gaussian",
        "sum": "sum",
    },
    "zh": {
        "dot": "点积",
        "scaled_dot": "缩放点积",
        "bilinear": "双线性",
        "additive": "加性",
        "gaussian": "高斯",
        "sum": "相加",
    },
}
