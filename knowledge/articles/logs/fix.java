final class Session {
    private final String user;
    private final String token;

    Session(String user, String token) {
        this.user = user;
        this.token = token;
    }

    String token() {
        return token;
    }

    /** For logs: no token, and of the user only the end. */
    @Override
    public String toString() {
        return "Session(user=…" + user.substring(Math.max(0, user.length() - 2)) + ")";
    }
}
