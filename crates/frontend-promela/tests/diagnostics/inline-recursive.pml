inline f() { f() }
init { f() }
