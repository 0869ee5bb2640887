"""What runs and judges an answer, whatever the exercise."""
