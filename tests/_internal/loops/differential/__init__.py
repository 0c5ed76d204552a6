"""How each loop is tested: what is drawn, what the loop answers, what it ought to answer."""
