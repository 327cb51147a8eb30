fun connect(address: InetAddress, host: String, port: Int): SSLSocket {
    val plain = Socket(address, port)
    val socket = (SSLSocketFactory.getDefault() as SSLSocketFactory).createSocket(plain, host, port, true) as SSLSocket
    socket.sslParameters = socket.sslParameters.apply {
        endpointIdentificationAlgorithm = "HTTPS"
        serverNames = listOf(SNIHostName(host))
    }
    socket.startHandshake()
    return socket
}
