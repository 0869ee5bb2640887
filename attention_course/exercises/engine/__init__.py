"""Run and judge answers, for all exercises."""
