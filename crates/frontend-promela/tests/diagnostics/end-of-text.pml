byte x =
