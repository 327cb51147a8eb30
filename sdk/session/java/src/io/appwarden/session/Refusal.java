package io.appwarden.session;

/** Why a handshake or a message is refused. The reason is for the log; the other side learns the code alone. */
public final class Refusal extends Exception {
  public enum Reason {
    MALFORMED,
    VERSION,
    KEY_UNKNOWN,
    KEY_EXPIRED,
    KEY_REVOKED,
    CLOCK,
    HELLO_REPLAYED,
    POINT,
    NOT_CONFIRMED,
    SESSION_UNKNOWN,
    SESSION_EXPIRED,
    TAG,
    REPLAYED,
    SEQUENCE,
    BODY,
    PLAIN
  }

  public final Reason reason;

  public Refusal(Reason reason) {
    super("session: " + reason);
    this.reason = reason;
  }

  /** HTTP status of the plain answer. */
  public int status() {
    return code().equals("unknown_key") ? 409 : 400;
  }

  /** Body of the plain answer: the same for every reason of a code. `now` in Unix seconds. */
  public String body(long now) {
    return code().equals("clock")
        ? "{\"error\":\"clock\",\"server_time\":" + now + "}"
        : "{\"error\":\"" + code() + "\"}";
  }

  public String code() {
    switch (reason) {
      case KEY_UNKNOWN:
      case KEY_EXPIRED:
      case KEY_REVOKED:
        return "unknown_key";
      case CLOCK:
        return "clock";
      default:
        return "refused";
    }
  }
}
