init {
 x = 
}
proctype P( {
}
proctype Q() { if :: skip od }
