package io.appwarden.session.servlet;

import io.appwarden.session.Clock;
import io.appwarden.session.Handshake;
import io.appwarden.session.HttpBody;
import io.appwarden.session.Messages;
import io.appwarden.session.RandomSource;
import io.appwarden.session.Refusal;
import io.appwarden.session.Session;
import io.appwarden.session.SessionStore;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Puts suite 3 (protocol.md) in front of an application: servlets get plain requests and write plain responses. Registered in code, for /* and before
 * other filters, without support for asynchronous processing. For a container with javax.servlet (Tomcat 9, Spring Boot 2) replace
 * `jakarta.servlet` by `javax.servlet` in this folder.
 */
public final class SessionFilter implements Filter {
  /** Request attribute with the Session of a message. */
  public static final String SESSION = "io.appwarden.session";

  /** The keys of the application. */
  public interface Keys {
    /** Throws Refusal KEY_UNKNOWN, KEY_EXPIRED or KEY_REVOKED. */
    Handshake.ServerKey keyOf(long keyId) throws Refusal;
  }

  /** For the log and for statistics. */
  public interface Log {
    void refused(Refusal.Reason reason, String method, String path, String address);
  }

  private final Keys keys;
  private final SessionStore store;
  private final Log log;
  private final Clock clock;
  private final RandomSource random;
  private final int maxBody;
  private final boolean allowPlain;
  private final String removedPrefix;

  /**
   * `maxBody`: bytes of a request or response body. `allowPlain`: requests that are not messages are handed on as they came, while old apps
   * are in use. `removedPrefix`: what a proxy in front removed from the paths, or ''.
   */
  public SessionFilter(
      Keys keys,
      SessionStore store,
      Log log,
      Clock clock,
      RandomSource random,
      int maxBody,
      boolean allowPlain,
      String removedPrefix) {
    this.keys = keys;
    this.store = store;
    this.log = log;
    this.clock = clock;
    this.random = random;
    this.maxBody = Math.min(maxBody, Session.MAX_PLAINTEXT);
    this.allowPlain = allowPlain;
    this.removedPrefix = removedPrefix;
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (!(request instanceof HttpServletRequest)) throw new ServletException("HTTP alone");
    HttpServletRequest http = (HttpServletRequest) request;
    HttpServletResponse answer = (HttpServletResponse) response;
    try {
      handle(http, answer, chain);
    } catch (Refusal refusal) {
      log.refused(refusal.reason, http.getMethod(), http.getRequestURI(), http.getRemoteAddr());
      byte[] body = refusal.body(seconds()).getBytes(StandardCharsets.UTF_8);
      write(answer, refusal.status(), "application/json", body);
    }
  }

  private void handle(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException, Refusal {
    String method = request.getMethod();
    String path = request.getRequestURI();
    if (method.equals("POST") && path.equals(request.getContextPath() + HttpBody.HANDSHAKE_PATH)) {
      byte[] hello = read(request, Handshake.HELLO_BYTES);
      long keyId = Handshake.keyIdOf(hello, seconds());
      Handshake.Answered made =
          Handshake.answer(hello, keys.keyOf(keyId), store, seconds(), Session.MAX_LIFETIME, random);
      if (store.put(made.session)) write(response, 200, HttpBody.MEDIA_TYPE, made.answer);
      else write(response, 503, "text/plain", new byte[0]);
      return;
    }
    String header = request.getHeader(HttpBody.MESSAGE_HEADER);
    boolean inBody = HttpBody.MEDIA_TYPE.equals(request.getContentType());
    if (header == null && !inBody) {
      boolean isPreflight = method.equals("OPTIONS") && request.getHeader("access-control-request-method") != null;
      if (!allowPlain && !isPreflight) throw new Refusal(Refusal.Reason.PLAIN);
      chain.doFilter(request, response);
      return;
    }
    // Media type and query take up to 64 KiB each.
    byte[] message = inBody ? read(request, maxBody + 0x20060) : Messages.fromHeader(header);
    if (message == null || inBody && header != null) throw new Refusal(Refusal.Reason.MALFORMED);
    if (request.getQueryString() != null) throw new Refusal(Refusal.Reason.MALFORMED);
    Session session = store.get(Messages.sessionIdOf(message));
    if (session == null) throw new Refusal(Refusal.Reason.SESSION_UNKNOWN);
    checkKey(session);
    Messages.Opened opened = Messages.openRequest(session, message, method, removedPrefix + path, seconds());
    if (!store.claimSequence(session.id(), opened.sequence)) throw new Refusal(Refusal.Reason.REPLAYED);
    HttpBody inner = HttpBody.readRequest(opened.plaintext);
    if (inner == null) throw new Refusal(Refusal.Reason.BODY);
    request.setAttribute(SESSION, session);
    KeptResponse kept = new KeptResponse(response, maxBody);
    chain.doFilter(new PlainRequest(request, inner), kept);
    send(method, session, opened.sequence, kept, response);
  }

  /** The sessions of a key that has expired go on to their own end; those of a revoked one do not. */
  private void checkKey(Session session) throws Refusal {
    try {
      keys.keyOf(session.keyId);
    } catch (Refusal refusal) {
      if (refusal.reason != Refusal.Reason.KEY_EXPIRED) throw refusal;
    }
  }

  private void send(String method, Session session, int sequence, KeptResponse kept, HttpServletResponse response)
      throws IOException {
    byte[] body = kept.body();
    boolean isTooMuch = body == null || response.getHeader("content-encoding") != null;
    int status = isTooMuch ? 500 : kept.status();
    String type = isTooMuch || kept.type() == null ? "" : kept.type();
    boolean hasNoBody = method.equals("HEAD") || status == 204 || status == 304;
    byte[] plaintext = new HttpBody(type, "", isTooMuch || hasNoBody ? new byte[0] : body).ofResponse();
    byte[] message = Messages.sealResponse(session, plaintext, status, sequence, seconds(), random.next(16));
    if (isTooMuch) response.reset();
    if (hasNoBody) {
      response.setStatus(status);
      response.setHeader("cache-control", "no-store");
      response.setHeader(HttpBody.MESSAGE_HEADER, Messages.toHeader(message));
    } else write(response, status, HttpBody.MEDIA_TYPE, message);
  }

  private static void write(HttpServletResponse response, int status, String type, byte[] body) throws IOException {
    response.setStatus(status);
    response.setContentType(type);
    response.setContentLength(body.length);
    response.setHeader("cache-control", "no-store");
    response.getOutputStream().write(body);
  }

  private static byte[] read(HttpServletRequest request, int limit) throws IOException, Refusal {
    InputStream in = request.getInputStream();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] part = new byte[8192];
    for (int n; (n = in.read(part)) >= 0; ) {
      if (out.size() + n > limit) throw new Refusal(Refusal.Reason.MALFORMED);
      out.write(part, 0, n);
    }
    return out.toByteArray();
  }

  private long seconds() {
    return clock.millis() / 1000;
  }
}
