package io.appwarden.session;

/** Why a request has no sealed response. */
public final class SecureException extends Exception {
  public enum Code {
    /** The server ended the session; it did not execute the request, unless someone in the middle forged this answer. */
    REFUSED,
    /** The server does not know the key: the app needs a newer one. */
    UNKNOWN_KEY,
    CLOCK,
    /** Bytes that the owner of the server key did not make. */
    FORGED,
    /** An answer of something in front of the server. */
    PLAIN,
    /** No answer: the request may have been executed. */
    UNREACHABLE
  }

  public final Code code;
  /** HTTP status, or 0. */
  public final int status;

  SecureException(Code code, int status, Throwable cause) {
    super(status == 0 ? code.toString() : code + " (" + status + ")", cause);
    this.code = code;
    this.status = status;
  }
}
