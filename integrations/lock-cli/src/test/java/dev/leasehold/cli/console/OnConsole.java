package dev.leasehold.cli.console;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.leasehold.admin.LockAdmin;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A console on a real server, for each test anew. */
abstract class OnConsole {
  static final String TOKEN = "a-token";
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  static RedisServer server;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  ConsoleServer console;

  @BeforeAll
  static void startServer() {
    server = RedisServers.start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void open() throws IOException {
    server.call("FLUSHALL");
    console = console(TOKEN);
  }

  @AfterEach
  void close() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }

  private <T extends AutoCloseable> T opened(T one) {
    opened.push(one);
    return one;
  }

  ConsoleServer console(@Nullable String token) throws IOException {
    return console(token, Duration.ofMillis(200));
  }

  ConsoleServer console(@Nullable String token, Duration every) throws IOException {
    LockAdmin admin = opened(LockAdmin.open(settings("console", "30s")));
    LockWatcher watcher = opened(new LockWatcher(admin, "*", every));
    InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return opened(new ConsoleServer(admin, watcher, at, Set.of("console.example"), token));
  }

  private static LockSettings settings(String label, String lease) {
    return LockSettings.of(
        Map.of(
            "lock.backend",
            "redis-set",
            "lock.redis.uri",
            server.uri(),
            "lock.lease",
            lease,
            "lock.close-grace",
            "0s",
            "lock.label",
            label));
  }

  LockManager process(String label) {
    return process(label, "30s");
  }

  /** A process that hears of a loss after a third of this time. */
  LockManager process(String label, String lease) {
    return opened(LockManager.open(settings(label, lease)));
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + console.port() + path);
  }

  HttpResponse<String> get(String path) throws Exception {
    return CLIENT.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
  }

  /** The lines of an endless answer, which end with the test. */
  HttpResponse<InputStream> stream(String path) throws Exception {
    HttpResponse<InputStream> answer =
        CLIENT.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofInputStream());
    opened(answer.body());
    return answer;
  }

  HttpResponse<String> post(String path, String body, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path)).POST(HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  JsonObject state(String query) throws Exception {
    return JsonParser.parseString(get("/state" + query).body()).getAsJsonObject();
  }

  static JsonObject first(JsonObject state) {
    return state.getAsJsonArray("locks").get(0).getAsJsonObject();
  }

  static boolean has(JsonObject state, String name) {
    for (JsonElement lock : state.getAsJsonArray("locks")) {
      if (lock.getAsJsonObject().get("name").getAsString().equals(name)) {
        return true;
      }
    }
    return false;
  }

  /** A request that the JDK's client would not send; the answer's first line. */
  String raw(String... lines) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), console.port())) {
      socket.setSoTimeout(5_000);
      OutputStream out = socket.getOutputStream();
      out.write((String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
      byte[] answer = new byte[200];
      int read = socket.getInputStream().readNBytes(answer, 0, 30);
      return new String(answer, 0, read, StandardCharsets.UTF_8).lines().findFirst().orElse("");
    }
  }
}
