@Serializable
data class Order(val id: Long, val title: String)

private val json = Json { ignoreUnknownKeys = true }
fun readOrder(text: String): Order = json.decodeFromString<Order>(text)
