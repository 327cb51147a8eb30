package io.appwarden.session;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.appwarden.session.servlet.SessionFilter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/**
 * The Java SDK in a JVM: a command a line, words between spaces, byte strings in hex after `x`; an answer a line. `serve` starts a server with
 * the servlet filter; `send` makes random requests to a server that answers with what it got (echo.ts has the same in TypeScript).
 */
public final class SessionRig {
  private Handshake.Pending pending;
  private Session session;

  public static void main(String[] args) throws Exception {
    SessionRig rig = new SessionRig();
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = in.readLine()) != null; ) {
      String answer;
      try {
        answer = "ok " + rig.run(line.split(" "));
      } catch (Refusal refusal) {
        answer = "refused " + refusal.reason.name().toLowerCase(java.util.Locale.ROOT);
      } catch (Exception error) {
        answer = "failed " + error.toString().replace('\n', ' ');
      }
      System.out.println(answer);
      System.out.flush();
    }
    System.exit(0);
  }

  private String run(String[] words) throws Exception {
    switch (words[0]) {
      case "hello":
        pending = Handshake.start(number(words[1]), bytes(words[2]), number(words[3]), given(bytes(words[4])));
        return hex(pending.hello);
      case "finish":
        session = Handshake.finish(pending, bytes(words[1]));
        return text(session);
      case "answer":
        {
          Handshake.ServerKey key = new Handshake.ServerKey(number(words[1]), bytes(words[2]));
          SessionStore store = new MemorySessionStore(10, Clock.SYSTEM);
          int lifetime = (int) number(words[5]);
          Handshake.Answered made =
              Handshake.answer(bytes(words[3]), key, store, number(words[4]), lifetime, given(bytes(words[6])));
          session = made.session;
          return hex(made.answer) + " " + text(session);
        }
      case "session":
        session =
            new Session(bytes(words[1]), number(words[2]), number(words[3]), number(words[4]), bytes(words[5]));
        return "";
      case "seal-request":
        return hex(
            Messages.sealRequest(
                session,
                new HttpBody(ascii(words[6]), ascii(words[7]), bytes(words[8])).ofRequest(),
                words[1],
                utf8(words[2]),
                (int) number(words[3]),
                number(words[4]),
                bytes(words[5])));
      case "open-request":
        {
          Messages.Opened opened =
              Messages.openRequest(session, bytes(words[4]), words[1], utf8(words[2]), number(words[3]));
          HttpBody body = HttpBody.readRequest(opened.plaintext);
          if (body == null) return opened.sequence + " " + hex(opened.plaintext);
          return opened.sequence + " " + hexOf(body.contentType) + " " + hexOf(body.query) + " " + hex(body.body);
        }
      case "seal-response":
        return hex(
            Messages.sealResponse(
                session,
                new HttpBody(ascii(words[5]), "", bytes(words[6])).ofResponse(),
                (int) number(words[1]),
                (int) number(words[2]),
                number(words[3]),
                bytes(words[4])));
      case "open-response":
        {
          byte[] plaintext =
              Messages.openResponse(session, bytes(words[3]), (int) number(words[1]), (int) number(words[2]));
          HttpBody body = HttpBody.readResponse(plaintext);
          return hexOf(body.contentType) + " " + hex(body.body);
        }
      case "window":
        {
          ReplayWindow window = new ReplayWindow();
          StringBuilder out = new StringBuilder();
          for (int i = 1; i < words.length; i++) out.append(window.claim((int) number(words[i])) ? '1' : '0');
          return out.toString();
        }
      case "base64url":
        {
          byte[] read = Bytes.fromBase64url(words.length > 1 ? words[1] : "");
          return read == null ? "none" : hex(read);
        }
      case "serve":
        return String.valueOf(serve(number(words[1]), bytes(words[2])));
      case "send":
        return send(words[1], number(words[2]), words[3], (int) number(words[4]), number(words[5]));
      default:
        throw new IllegalArgumentException(words[0]);
    }
  }

  // A server: the filter and an echo behind it, over the JDK's own server.

  private int serve(long keyId, byte[] privateKey) throws IOException {
    Handshake.ServerKey key = new Handshake.ServerKey(keyId, privateKey);
    SessionFilter.Keys keys =
        wanted -> {
          if (wanted == 6) throw new Refusal(Refusal.Reason.KEY_EXPIRED);
          if (wanted == 5) throw new Refusal(Refusal.Reason.KEY_REVOKED);
          if (wanted != keyId) throw new Refusal(Refusal.Reason.KEY_UNKNOWN);
          return key;
        };
    SessionFilter filter =
        new SessionFilter(
            keys,
            new MemorySessionStore(1000, Clock.SYSTEM),
            (reason, method, path, address) -> {},
            Clock.SYSTEM,
            RandomSource.SECURE,
            1 << 20,
            false,
            "");
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.setExecutor(
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task);
              thread.setDaemon(true);
              return thread;
            }));
    server.createContext("/", exchange -> handle(exchange, filter));
    server.start();
    return server.getAddress().getPort();
  }

  private static void handle(HttpExchange exchange, SessionFilter filter) throws IOException {
    Exchanged exchanged = new Exchanged(exchange);
    try {
      filter.doFilter(exchanged.request, exchanged.response, SessionRig::echo);
      exchanged.finish();
    } catch (ServletException | RuntimeException error) {
      exchange.sendResponseHeaders(500, -1);
    } finally {
      exchange.close();
    }
  }

  private static void echo(ServletRequest request, ServletResponse response) throws IOException {
    HttpServletRequest http = (HttpServletRequest) request;
    byte[] body = readAll(http.getInputStream());
    String query = http.getQueryString() == null ? "" : http.getQueryString();
    byte[] line = (http.getMethod() + " " + http.getRequestURI() + "?" + query + "\n").getBytes(StandardCharsets.UTF_8);
    ((HttpServletResponse) response).setStatus(200 + body.length % 4);
    response.setContentType(http.getContentType() == null ? "text/x-none" : http.getContentType());
    response.getOutputStream().write(line);
    response.getOutputStream().write(body);
  }

  /** One exchange as the two interfaces that the filter gets from a container. */
  private static final class Exchanged {
    final HttpExchange exchange;
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final Map<String, Object> attributes = new ConcurrentHashMap<>();
    int status = 200;
    final HttpServletRequest request = as(HttpServletRequest.class, this::ofRequest);
    final HttpServletResponse response = as(HttpServletResponse.class, this::ofResponse);

    Exchanged(HttpExchange exchange) {
      this.exchange = exchange;
    }

    static <T> T as(Class<T> type, InvocationHandler handler) {
      return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    Object ofRequest(Object proxy, Method method, Object[] args) throws Exception {
      switch (method.getName()) {
        case "getMethod":
          return exchange.getRequestMethod();
        case "getRequestURI":
          return exchange.getRequestURI().getRawPath();
        case "getContextPath":
          return "";
        case "getQueryString":
          return exchange.getRequestURI().getRawQuery();
        case "getHeader":
          return exchange.getRequestHeaders().getFirst((String) args[0]);
        case "getHeaderNames":
          return Collections.enumeration(exchange.getRequestHeaders().keySet());
        case "getContentType":
          return exchange.getRequestHeaders().getFirst("content-type");
        case "getRemoteAddr":
          return exchange.getRemoteAddress().getAddress().getHostAddress();
        case "setAttribute":
          return attributes.put((String) args[0], args[1]);
        case "getAttribute":
          return attributes.get(args[0]);
        case "getInputStream":
          return new StreamOf(exchange.getRequestBody());
        default:
          throw new UnsupportedOperationException(method.getName());
      }
    }

    Object ofResponse(Object proxy, Method method, Object[] args) {
      switch (method.getName()) {
        case "setStatus":
          status = (Integer) args[0];
          return null;
        case "setContentType":
          exchange.getResponseHeaders().set("content-type", (String) args[0]);
          return null;
        case "setHeader":
          exchange.getResponseHeaders().set((String) args[0], (String) args[1]);
          return null;
        case "getHeader":
          return exchange.getResponseHeaders().getFirst((String) args[0]);
        case "setContentLength":
          return null;
        case "reset":
          out.reset();
          return null;
        case "getOutputStream":
          return new SinkOf(out);
        default:
          throw new UnsupportedOperationException(method.getName());
      }
    }

    void finish() throws IOException {
      boolean isEmpty = out.size() == 0;
      exchange.sendResponseHeaders(status, isEmpty ? -1 : out.size());
      if (!isEmpty) exchange.getResponseBody().write(out.toByteArray());
    }
  }

  private static final class StreamOf extends jakarta.servlet.ServletInputStream {
    private final InputStream in;

    StreamOf(InputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      return in.read();
    }

    @Override
    public boolean isFinished() {
      return false;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(jakarta.servlet.ReadListener listener) {
      throw new UnsupportedOperationException();
    }
  }

  private static final class SinkOf extends jakarta.servlet.ServletOutputStream {
    private final ByteArrayOutputStream out;

    SinkOf(ByteArrayOutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int value) {
      out.write(value);
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setWriteListener(jakarta.servlet.WriteListener listener) {
      throw new UnsupportedOperationException();
    }
  }

  // A client: random requests, and the echo that each must give.

  private String send(String origin, long keyId, String publicKey, int count, long seed) throws Exception {
    SecureClient client = new SecureClient(origin, new SecureClient.ServerKey(keyId, publicKey), null);
    Random random = new Random(seed);
    String[] methods = {"GET", "POST", "PUT", "DELETE"};
    for (int at = 0; at < count; at++) {
      String method = methods[random.nextInt(methods.length)];
      String path = "/" + word(random, 40);
      String query = random.nextInt(3) == 0 ? "" : word(random, 60);
      byte[] body = new byte[method.equals("GET") ? 0 : random.nextInt(at % 50 == 0 ? 20_000 : 1_500)];
      random.nextBytes(body);
      String type = body.length == 0 ? "" : "application/octet-stream";
      String target = query.isEmpty() ? path : path + "?" + query;
      SecureClient.Response got = client.request(method, target, type, body, new HashMap<String, String>());
      byte[] line = (method + " " + path + "?" + query + "\n").getBytes(StandardCharsets.UTF_8);
      boolean same =
          got.status == 200 + body.length % 4
              && got.contentType.equals(type.isEmpty() ? "text/x-none" : type)
              && Bytes.same(got.body, Bytes.concat(line, body));
      if (!same) throw new IllegalStateException("message " + at + " of seed " + seed + " came back changed");
    }
    return String.valueOf(count);
  }

  private static String word(Random random, int limit) {
    StringBuilder out = new StringBuilder();
    for (int i = random.nextInt(limit); i > 0; i--) {
      if (random.nextInt(4) == 0) out.append(String.format("%%%02X", random.nextInt(256)));
      else out.append("abcXYZ019-_~".charAt(random.nextInt(12)));
    }
    return out.toString();
  }

  private static byte[] readAll(InputStream in) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] part = new byte[8192];
    for (int n; (n = in.read(part)) >= 0; ) out.write(part, 0, n);
    return out.toByteArray();
  }

  private static RandomSource given(byte[] all) {
    int[] at = {0};
    return length -> {
      at[0] += length;
      return Bytes.slice(all, at[0] - length, at[0]);
    };
  }

  private static String text(Session s) {
    byte[] keys = Bytes.concat(s.encryptRequest, s.macRequest, s.encryptResponse, s.macResponse);
    return hex(s.id) + " " + s.keyId + " " + s.created + " " + s.expires + " " + hex(keys);
  }

  private static long number(String word) {
    return Long.parseLong(word);
  }

  private static byte[] bytes(String word) {
    byte[] out = new byte[(word.length() - 1) / 2];
    for (int i = 0; i < out.length; i++) out[i] = (byte) Integer.parseInt(word.substring(2 * i + 1, 2 * i + 3), 16);
    return out;
  }

  private static String ascii(String word) {
    return new String(bytes(word), StandardCharsets.US_ASCII);
  }

  private static String utf8(String word) {
    return new String(bytes(word), StandardCharsets.UTF_8);
  }

  private static String hexOf(String text) {
    return hex(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String hex(byte[] bytes) {
    StringBuilder out = new StringBuilder("x");
    for (byte one : bytes) out.append(Character.forDigit(one >> 4 & 15, 16)).append(Character.forDigit(one & 15, 16));
    return out.toString();
  }
}
