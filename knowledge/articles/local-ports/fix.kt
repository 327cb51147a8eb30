fun requireOwnPeer(socket: LocalSocket) {
    if (socket.peerCredentials.uid != Process.myUid()) throw SecurityException("foreign peer")
}
