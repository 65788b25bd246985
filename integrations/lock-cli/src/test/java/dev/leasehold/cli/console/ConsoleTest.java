package dev.leasehold.cli.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer.Data;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The answers of the console")
class ConsoleTest extends OnConsole {
  /** How long the server does not answer. */
  private static final Duration SILENCE = Duration.ofSeconds(4);

  private HttpResponse<String> breakHold(String name, String id) throws Exception {
    return post(
        "/break",
        "{\"name\":\"" + name + "\",\"id\":\"" + id + "\",\"gently\":false}",
        "Content-Type",
        "application/json",
        "Origin",
        "http://127.0.0.1:" + console.port(),
        RequestGuard.TOKEN_HEADER,
        TOKEN);
  }

  private JsonObject awaitLock(String name) {
    Await.until(name + " is seen", () -> has(state(""), name));
    try {
      return first(state("?filter=" + URLEncoder.encode(name, StandardCharsets.UTF_8)));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  @DisplayName("The page is served with its files, which only it may use")
  void files() throws Exception {
    for (String path : List.of("/", "/console.css", "/console.js", "/icon.svg", "/state")) {
      HttpResponse<String> answer = get(path);
      assertEquals(200, answer.statusCode(), path);
      String policy = answer.headers().firstValue("Content-Security-Policy").orElseThrow();
      assertTrue(policy.startsWith("default-src 'none'; script-src 'self'"), policy);
      assertEquals("nosniff", answer.headers().firstValue("X-Content-Type-Options").orElseThrow());
      assertFalse(answer.headers().firstValue("Access-Control-Allow-Origin").isPresent());
    }
    assertFalse(get("/").body().contains("<style"), "nothing is inline");
    assertEquals(404, get("/../pom.xml").statusCode());
    assertEquals(404, get("/console.css/x").statusCode());
    assertEquals(405, post("/state", "").statusCode());
    assertEquals(405, get("/break").statusCode());
    assertEquals(400, get("/lock").statusCode());
  }

  @Test
  @DisplayName("The state contains held locks with their waiters and changes; a lock has details")
  void state() throws Exception {
    LockManager one = process("one");
    one.lock("stock").acquire();
    Lease lease = one.lock("orders").acquire();
    CompletableFuture<Lease> waiter =
        process("two").lock("orders").acquireAsync().toCompletableFuture();
    Await.until(
        "it waits",
        () -> has(state(""), "orders") && first(state("")).get("waiting").getAsInt() == 1);
    JsonObject lock = first(state(""));
    assertEquals("orders", lock.get("name").getAsString(), "the longest queue is first");
    JsonObject hold = lock.getAsJsonArray("holds").get(0).getAsJsonObject();
    assertEquals("one", hold.get("holder").getAsString());
    assertEquals(lease.fencingToken(), hold.get("token").getAsLong());
    assertEquals(1, state("?filter=STO").get("matching").getAsInt());
    assertEquals(2, state("?filter=one").get("matching").getAsInt(), "holders match, too");
    assertEquals(0, state("?filter=none").get("matching").getAsInt());
    JsonObject details =
        JsonParser.parseString(get("/lock?name=orders").body())
            .getAsJsonArray()
            .get(0)
            .getAsJsonObject();
    assertEquals(1, details.getAsJsonArray("waiters").size(), details::toString);
    long before = grants("orders");
    lease.release();
    Await.value(waiter);
    Await.until("it is in the timeline", () -> grants("orders") > before);
    JsonObject busiest = state("").getAsJsonArray("busiest").get(0).getAsJsonObject();
    assertEquals("orders", busiest.get("shown").getAsString());
  }

  /** A look between a release and the next grant sees no holder, so the grant is a new one. */
  private long grants(String name) throws Exception {
    return changes(name).stream().filter(Set.of("passed on", "taken")::contains).count();
  }

  private List<String> changes(String name) throws Exception {
    return state("").getAsJsonArray("timeline").asList().stream()
        .map(event -> event.getAsJsonObject())
        .filter(event -> event.get("shown").getAsString().equals(name))
        .map(event -> event.get("change").getAsString())
        .toList();
  }

  @Test
  @DisplayName("Each look is an event; there is a limit to the pages that listen")
  void events() throws Exception {
    HttpResponse<java.io.InputStream> answer = stream("/events?filter=job");
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    process("one").lock("job").acquire();
    boolean seen = false;
    for (int i = 0; i < 100 && !seen; i++) {
      String line = lines.readLine();
      seen =
          line.startsWith("data: ")
              && has(JsonParser.parseString(line.substring(6)).getAsJsonObject(), "job");
    }
    assertTrue(seen);
    for (int i = 1; i < 16; i++) {
      assertEquals(200, stream("/events").statusCode());
    }
    assertEquals(503, get("/events").statusCode());
  }

  @Test
  @DisplayName("Hostile names are exact in name, and escaped where they are shown")
  void hostile() throws Exception {
    String hostile = "<img src=x onerror=alert(1)>\u001b[31m\u202e\n" + "x".repeat(400);
    process("one").lock(hostile).acquire();
    JsonObject lock = awaitLock(hostile);
    String shown = lock.get("shown").getAsString();
    assertEquals(hostile, lock.get("name").getAsString());
    assertTrue(shown.chars().noneMatch(c -> Character.isISOControl(c) || c == '\u202e'), shown);
    String details = get("/lock?name=" + URLEncoder.encode(hostile, StandardCharsets.UTF_8)).body();
    assertEquals(1, JsonParser.parseString(details).getAsJsonArray().size());
  }

  @Test
  @DisplayName("A host that is not known is refused: a page elsewhere may have its name")
  void hosts() throws Exception {
    int port = console.port();
    for (String host :
        List.of(
            "127.0.0.1:" + port,
            "LOCALHOST:" + port,
            "console.example:" + port,
            "console.example")) {
      assertEquals("HTTP/1.1 200 OK", raw("GET /state HTTP/1.1", "Host: " + host), host);
    }
    for (String host : List.of("evil.example:" + port, "evil.example", "127.0.0.1.evil.example")) {
      assertTrue(raw("GET /state HTTP/1.1", "Host: " + host).startsWith("HTTP/1.1 421"), host);
    }
  }

  @Test
  @DisplayName("Another site may link to the page, and read nothing")
  void sites() throws Exception {
    String host = "Host: 127.0.0.1:" + console.port();
    String other = "Sec-Fetch-Site: cross-site";
    assertEquals("HTTP/1.1 200 OK", raw("GET / HTTP/1.1", host, other));
    for (String path : List.of("/state", "/events", "/lock?name=x", "/console.js")) {
      String answer = raw("GET " + path + " HTTP/1.1", host, other);
      assertTrue(answer.startsWith("HTTP/1.1 421"), path + " " + answer);
    }
  }

  @Test
  @DisplayName("Breaking needs the option, the token, and this page; then the holder loses it")
  void breaking() throws Exception {
    Lease lease = process("one", "5s").lock("job").acquire();
    String id =
        awaitLock("job").getAsJsonArray("holds").get(0).getAsJsonObject().get("id").getAsString();
    String body = "{\"name\":\"job\",\"id\":\"" + id + "\",\"gently\":false}";
    String origin = "http://127.0.0.1:" + console.port();
    String json = "application/json";
    String[][] refused = {
      {"Content-Type", json, "Origin", origin},
      {"Content-Type", json, "Origin", origin, RequestGuard.TOKEN_HEADER, "wrong"},
      {"Content-Type", json, "Origin", "http://evil.example", RequestGuard.TOKEN_HEADER, TOKEN},
      {"Content-Type", json, RequestGuard.TOKEN_HEADER, TOKEN},
      {"Content-Type", "text/plain", "Origin", origin, RequestGuard.TOKEN_HEADER, TOKEN},
      {
        "Content-Type",
        json,
        "Origin",
        origin,
        RequestGuard.TOKEN_HEADER,
        TOKEN,
        "Sec-Fetch-Site",
        "none"
      },
    };
    for (String[] headers : refused) {
      assertEquals(
          403, post("/break", body, headers).statusCode(), () -> String.join(" ", headers));
    }
    String[] right = {"Content-Type", json, "Origin", origin, RequestGuard.TOKEN_HEADER, TOKEN};
    assertEquals(400, post("/break", "{\"name\":\"job\",\"id\":\"x\"}", right).statusCode());
    assertEquals(400, post("/break", "[", right).statusCode());
    assertTrue(lease.isValid());
    String tls = "https://127.0.0.1:" + console.port();
    String[] proxied = {"Content-Type", json, "Origin", tls, RequestGuard.TOKEN_HEADER, TOKEN};
    assertEquals(400, post("/break", "[", proxied).statusCode(), "a proxy may speak TLS");
    HttpResponse<String> broken = post("/break", body, right);
    assertEquals(200, broken.statusCode(), broken.body());
    assertTrue(broken.body().contains("\"result\":\"BROKEN\""), broken.body());
    Await.until("it is in the timeline", () -> changes("job").contains("broken"));
    Await.until("the loss", () -> !lease.isValid());
    assertTrue(post("/break", body, right).body().contains("NOT_HELD"));
  }

  @Test
  @DisplayName("A broken hold is in the timeline, even if the watcher looks right then")
  void brokenAndSeen() throws Exception {
    console = console(TOKEN, Duration.ofNanos(1));
    for (int i = 0; i < 50; i++) {
      String name = "job-" + i;
      server.call("SET", "lh:{" + name + "}", "one:" + i, "PX", "600000");
      JsonObject hold = awaitLock(name).getAsJsonArray("holds").get(0).getAsJsonObject();
      HttpResponse<String> broken = breakHold(name, hold.get("id").getAsString());
      assertTrue(broken.body().contains("\"result\":\"BROKEN\""), broken.body());
      assertTrue(changes(name).contains("broken"), name);
    }
  }

  @Test
  @DisplayName("Without the option nothing is broken, and the page says so")
  void readOnly() throws Exception {
    console = console(null);
    assertFalse(state("").get("mayBreak").getAsBoolean());
    String origin = "http://127.0.0.1:" + console.port();
    HttpResponse<String> answer =
        post(
            "/break",
            "{}",
            "Content-Type",
            "application/json",
            "Origin",
            origin,
            RequestGuard.TOKEN_HEADER,
            "");
    assertEquals(403, answer.statusCode());
    assertTrue(answer.body().contains("--allow-break"), answer.body());
  }

  @Test
  @DisplayName(
      "Of ten thousand locks the page gets the first, from the last look, without the server")
  void many() throws Exception {
    server.call(
        "EVAL",
        "for i = 1, 10000 do redis.call('SET', 'lh:{n' .. i .. '}', 'one:' .. i, 'PX', 600000) end",
        "0");
    Await.until("all are seen", () -> state("").get("total").getAsInt() == 10_000);
    server.call("CLIENT", "PAUSE", String.valueOf(SILENCE.toMillis()));
    long begun = System.nanoTime();
    JsonObject state = state("?filter=n");
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    assertEquals(StateJson.MOST, state.getAsJsonArray("locks").size());
    assertEquals(10_000, state.get("matching").getAsInt());
    assertTrue(took.compareTo(SILENCE) < 0, () -> "it waited for the server: " + took);
    server.call("SET", "lh:{more}", "one:1", "PX", "600000");
    Await.until("there are more", () -> state("").get("more").getAsBoolean());
  }

  @Test
  @DisplayName("While the server is away the page says so, and shows the last state")
  void away() throws Exception {
    process("one").lock("job").acquire();
    awaitLock("job");
    server.kill();
    try {
      Await.until("it is said", () -> state("").has("failure"));
      assertTrue(has(state(""), "job"));
    } finally {
      server.restart(Data.LOSE);
    }
    Await.until("it is back", () -> !state("").has("failure"));
  }
}
