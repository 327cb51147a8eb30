import io.appwarden.sdk.Channel;
import io.appwarden.sdk.checks.Checks;
import io.appwarden.sdk.checks.Device;
import io.appwarden.sdk.checks.Expected;
import io.appwarden.sdk.core.AnrWatchdog;
import io.appwarden.sdk.core.Client;
import io.appwarden.sdk.core.Clock;
import io.appwarden.sdk.core.CrashHandler;
import io.appwarden.sdk.core.HttpTransport;
import io.appwarden.sdk.core.Json;
import io.appwarden.sdk.core.Store;
import io.appwarden.sdk.core.Transport;
import io.appwarden.sdk.core.Worker;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** Runs the Android SDK's core on a JVM with a clock, a network and a phone that the test rules: a JSON command a line, a JSON answer a line. */
public final class Rig {
  static long wall;
  static long elapsed;
  static String net = "ok";
  static Client client;
  static final List<Object> acted = new ArrayList<>();

  /** The process dies here and now: nothing of the SDK may catch it. */
  @SuppressWarnings("serial")
  static final class Killed extends Error {}

  /** Work of the process that lives now; a new process has none of the old one's. */
  static final class Tasks implements Worker {
    final PriorityQueue<Task> queue = new PriorityQueue<>();
    long order;

    @Override
    public void later(Runnable work, long ms) {
      queue.add(new Task(elapsed + ms, order++, work));
    }

    void runDue() {
      while (!queue.isEmpty() && queue.peek().at <= elapsed) queue.poll().work.run();
    }
  }

  static final class Task implements Comparable<Task> {
    final long at;
    final long order;
    final Runnable work;

    Task(long at, long order, Runnable work) {
      this.at = at;
      this.order = order;
      this.work = work;
    }

    @Override
    public int compareTo(Task other) {
      return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
    }
  }

  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    Tasks tasks = new Tasks();
    for (String line; (line = in.readLine()) != null; ) {
      Map<String, Object> command = Json.object(line);
      Map<String, Object> answer = new LinkedHashMap<>();
      switch (String.valueOf(command.get("op"))) {
        case "clock":
          wall = number(command, "wall");
          elapsed = number(command, "elapsed");
          break;
        case "net":
          net = String.valueOf(command.get("mode"));
          break;
        case "start":
          tasks = new Tasks();
          client = makeClient(command, tasks);
          client.consent();
          break;
        case "withdraw":
          client.withdraw();
          break;
        case "user":
          client.setUser(String.valueOf(command.get("id")));
          break;
        case "event":
          client.event(String.valueOf(command.get("type")), map(command, "detail"));
          break;
        case "risk":
          client.risk(String.valueOf(command.get("risk")), map(command, "evidence"));
          break;
        case "exception":
          client.exception(new IllegalStateException(String.valueOf(command.get("message"))));
          break;
        case "crash":
          crash();
          break;
        case "anr":
          anr();
          break;
        case "run":
          try {
            tasks.runDue();
          } catch (Killed end) {
            answer.put("killed", true);
          }
          break;
        case "acted":
          answer.put("acted", new ArrayList<>(acted));
          break;
        case "checks":
          answer.put("found", new LinkedHashMap<String, Object>(new Checks(new Phone(command), expected(command)).run()));
          break;
        case "json":
          answer.put("json", Json.write(Json.parse(String.valueOf(command.get("text")))));
          break;
        case "channel":
          answer.put("channel", Channel.of(new File(String.valueOf(command.get("path")))));
          break;
        default:
          throw new IllegalArgumentException(line);
      }
      System.out.println(Json.write(answer));
    }
  }

  static Client makeClient(final Map<String, Object> command, Worker worker) {
    final Transport http = new HttpTransport(String.valueOf(command.get("endpoint")));
    Transport network =
        new Transport() {
          @Override
          public Reply send(String method, String path, Map<String, String> headers, byte[] body) {
            Reply nobody = new Reply(0, Collections.<String, String>emptyMap(), new byte[0]);
            if (net.equals("offline")) return nobody;
            Reply reply = http.send(method, path, headers, body);
            if (net.equals("die")) throw new Killed();
            if (net.equals("twice")) http.send(method, path, headers, body);
            return net.equals("lose") ? nobody : reply;
          }
        };
    Clock clock =
        new Clock() {
          @Override
          public long wall() {
            return wall;
          }

          @Override
          public long elapsed() {
            return elapsed;
          }
        };
    Client.Host host =
        new Client.Host() {
          @Override
          public String device() {
            return String.valueOf(command.get("device"));
          }

          @Override
          public Map<String, Object> facts() {
            return new LinkedHashMap<>(map(command, "facts"));
          }

          @Override
          public void act(String risk, String action, String text, Map<String, Object> evidence) {
            Map<String, Object> done = new LinkedHashMap<>();
            done.put("risk", risk);
            done.put("action", action);
            done.put("text", text);
            acted.add(done);
          }

          @Override
          public String language() {
            return "zh";
          }
        };
    Store store = new Store(new File(String.valueOf(command.get("folder"))));
    return new Client(network, store, clock, worker, String.valueOf(command.get("key")), host);
  }

  static void crash() throws InterruptedException {
    Thread.setDefaultUncaughtExceptionHandler(null);
    CrashHandler.install(client);
    Thread thread =
        new Thread(
            new Runnable() {
              @Override
              public void run() {
                throw new IllegalStateException("paid twice", new NullPointerException("order"));
              }
            },
            "payment");
    thread.start();
    thread.join();
  }

  /** A main thread that hangs, watched by the real clock. */
  static void anr() throws InterruptedException {
    Thread main =
        new Thread(
            new Runnable() {
              @Override
              public void run() {
                hang();
              }
            });
    main.start();
    AnrWatchdog dog =
        new AnrWatchdog(
            client,
            main,
            new AnrWatchdog.Poster() {
              @Override
              public void post(Runnable work) {}
            });
    dog.start();
    Thread.sleep(6500);
    main.interrupt();
    dog.interrupt();
  }

  static void hang() {
    try {
      Thread.sleep(60_000);
    } catch (InterruptedException end) {
      // the test is over
    }
  }

  static Expected expected(Map<String, Object> command) {
    Map<String, Object> told = map(command, "expected");
    Map<String, String> parts = new LinkedHashMap<>();
    for (Map.Entry<String, Object> one : map(told, "parts").entrySet()) parts.put(one.getKey(), String.valueOf(one.getValue()));
    Object name = told.get("package");
    return new Expected(name == null ? "" : String.valueOf(name), new HashSet<>(texts(told, "signers")), parts, new HashSet<>(texts(told, "services")));
  }

  static long number(Map<String, Object> command, String name) {
    return ((Number) command.get(name)).longValue();
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> map(Map<String, Object> of, String name) {
    Object value = of.get(name);
    return value instanceof Map ? (Map<String, Object>) value : new LinkedHashMap<String, Object>();
  }

  static List<String> texts(Map<String, Object> of, String name) {
    List<String> found = new ArrayList<>();
    Object value = of.get(name);
    if (value instanceof List) for (Object one : (List<?>) value) found.add(String.valueOf(one));
    return found;
  }

  /** A phone as a command describes it; what is not said is clean. */
  static final class Phone implements Device {
    private final Map<String, Object> told;

    Phone(Map<String, Object> told) {
      this.told = told;
    }

    private String text(String name, String otherwise) {
      return told.containsKey(name) ? String.valueOf(told.get(name)) : otherwise;
    }

    @Override
    public boolean exists(String path) {
      return texts(told, "files").contains(path);
    }

    @Override
    public List<String> lines(String path) {
      return texts(map(told, "lines"), path);
    }

    @Override
    public String property(String name) {
      Object value = map(told, "properties").get(name);
      return value == null ? "" : String.valueOf(value);
    }

    @Override
    public boolean installed(String packageName) {
      return texts(told, "apps").contains(packageName);
    }

    @Override
    public String build(String member) {
      Object value = map(told, "build").get(member);
      return value == null ? "" : String.valueOf(value);
    }

    @Override
    public List<String> accessibilityServices() {
      return texts(told, "services");
    }

    @Override
    public boolean setting(String name) {
      return texts(told, "settings").contains(name);
    }

    @Override
    public boolean debuggerConnected() {
      return told.containsKey("debugger");
    }

    @Override
    public boolean debuggable() {
      return told.containsKey("debuggable");
    }

    @Override
    public List<String> transports() {
      return texts(told, "transports");
    }

    @Override
    public String proxy() {
      return text("proxy", "");
    }

    @Override
    public List<String> userCertificates() {
      return texts(told, "certificates");
    }

    @Override
    public List<String> signers() {
      return texts(told, "signers");
    }

    @Override
    public String packageName() {
      return text("package", "cn.example.app");
    }

    @Override
    public String dataFolder() {
      return text("folder", "/data/user/0/cn.example.app/files");
    }

    @Override
    public String partHash(String name) {
      Object value = map(told, "parts").get(name);
      return value == null ? "" : String.valueOf(value);
    }

    @Override
    public int userNumber() {
      return told.containsKey("user") ? (int) number(told, "user") : 0;
    }

    @Override
    public boolean monkey() {
      return told.containsKey("monkey");
    }
  }
}
