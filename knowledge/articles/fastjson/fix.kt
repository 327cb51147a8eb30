// At start, where 1.x cannot be removed yet
ParserConfig.getGlobalInstance().isSafeMode = true
val order = JSON.parseObject(text, Order::class.java)
