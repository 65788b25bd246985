package dev.leasehold.cli.console;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.leasehold.admin.BreakResult;
import dev.leasehold.admin.HoldId;
import dev.leasehold.admin.ListedLock;
import dev.leasehold.admin.LockAdmin;
import dev.leasehold.cli.listing.Json;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.Quoted;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The web server of the console, based on the JDK's. Requests for the overview are answered from
 * the latest snapshot; only the details of a lock, and breaking one, send calls to the locks'
 * servers. Thread-safe.
 */
public final class ConsoleServer implements AutoCloseable {
  private static final int MOST_STREAMS = 16;
  private static final int MOST_BODY = 64 * 1024;
  private static final Duration HEARTBEAT = Duration.ofSeconds(5);

  /** The files of the page, with their content types. */
  private static final Map<String, String> FILES =
      Map.of(
          "/", "index.html text/html; charset=utf-8",
          "/console.css", "console.css text/css; charset=utf-8",
          "/console.js", "console.js text/javascript; charset=utf-8",
          "/icon.svg", "icon.svg image/svg+xml");

  private final LockAdmin admin;
  private final LockWatcher watcher;
  private final HttpServer server;
  private final ExecutorService threads;
  private final RequestGuard gate;
  private final Semaphore streams = new Semaphore(MOST_STREAMS);

  /**
   * Starts listening.
   *
   * @param at where to listen
   * @param hosts further host names, without ports, by which browsers may reach it
   * @param token the token that a request must contain to break a lock; null if breaking is
   *     disabled
   * @throws IOException if the port is in use
   */
  public ConsoleServer(
      LockAdmin admin,
      LockWatcher watcher,
      InetSocketAddress at,
      Set<String> hosts,
      @Nullable String token)
      throws IOException {
    this.admin = admin;
    this.watcher = watcher;
    this.server = HttpServer.create(at, 0);
    this.gate = new RequestGuard(known(at, hosts), token);
    this.threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "leasehold-console");
              thread.setDaemon(true);
              return thread;
            });
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  private static Set<String> known(InetSocketAddress at, Set<String> hosts) {
    Set<String> all = new LinkedHashSet<>();
    hosts.forEach(host -> all.add(host.toLowerCase(Locale.ROOT)));
    if (at.getAddress().isLoopbackAddress()) {
      all.addAll(Set.of("localhost", "127.0.0.1", "[::1]"));
    } else {
      all.add(at.getAddress().getHostAddress());
    }
    return all;
  }

  /** Returns the port it listens on. */
  public int port() {
    return server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      answered(exchange);
    }
  }

  private void answered(HttpExchange exchange) throws IOException {
    try {
      secure(exchange.getResponseHeaders());
      String path = exchange.getRequestURI().getPath();
      Optional<String> refusal = gate.refusal(exchange.getRequestHeaders(), path.equals("/"));
      if (refusal.isPresent()) {
        send(exchange, 421, "text/plain; charset=utf-8", refusal.get());
        return;
      }
      String file = FILES.get(path);
      boolean breaks = path.equals("/break");
      if (!exchange.getRequestMethod().equals(breaks ? "POST" : "GET")) {
        send(exchange, 405, "text/plain; charset=utf-8", "Method not allowed");
      } else if (file != null) {
        file(exchange, file.split(" ", 2));
      } else if (path.equals("/state")) {
        send(exchange, 200, state(watcher.latest(), exchange));
      } else if (path.equals("/events")) {
        stream(exchange);
      } else if (path.equals("/lock")) {
        lock(exchange);
      } else if (breaks) {
        breakLock(exchange);
      } else {
        send(exchange, 404, "text/plain; charset=utf-8", "Not found");
      }
    } catch (LockStoreException e) {
      failed(exchange, 502, String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException | JsonParseException e) {
      failed(exchange, 400, String.valueOf(e.getMessage()));
    }
  }

  /** Sets the security headers: no foreign content, no caching, no embedding in other pages. */
  private static void secure(Headers headers) {
    headers.set(
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src"
            + " 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("X-Frame-Options", "DENY");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cache-Control", "no-store");
  }

  private JsonObject state(Snapshot seen, HttpExchange exchange) {
    return StateJson.of(seen, parameter(exchange, "filter").orElse(""), gate.token() != null);
  }

  private void file(HttpExchange exchange, String[] nameAndType) throws IOException {
    try (InputStream in = ConsoleServer.class.getResourceAsStream(nameAndType[0])) {
      if (in == null) {
        throw new IOException("no " + nameAndType[0] + " in this jar");
      }
      send(exchange, 200, nameAndType[1], in.readAllBytes());
    }
  }

  /** Sends server-sent events: one for each snapshot. */
  private void stream(HttpExchange exchange) throws IOException {
    if (!streams.tryAcquire()) {
      String why = "Only " + MOST_STREAMS + " pages at a time: close another one.";
      send(exchange, 503, "text/plain; charset=utf-8", why);
      return;
    }
    try {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
      exchange.sendResponseHeaders(200, 0);
      OutputStream out = exchange.getResponseBody();
      long number = -1;
      while (true) {
        Snapshot seen = watcher.after(number, HEARTBEAT);
        String event =
            seen.number() > number ? "data: " + state(seen, exchange) + "\n\n" : ": alive\n\n";
        number = seen.number();
        out.write(event.getBytes(StandardCharsets.UTF_8));
        out.flush(); // throws once the page is closed
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closing
    } finally {
      streams.release();
    }
  }

  private void lock(HttpExchange exchange) throws IOException {
    String name = required(parameter(exchange, "name"));
    JsonArray kinds = new JsonArray();
    admin.show(name).forEach(details -> kinds.add(Json.of(details)));
    send(exchange, 200, kinds);
  }

  private void breakLock(HttpExchange exchange) throws IOException {
    Optional<String> refusal = gate.breakRefusal(exchange.getRequestHeaders());
    if (refusal.isPresent()) {
      failed(exchange, 403, refusal.get());
      return;
    }
    byte[] body = exchange.getRequestBody().readNBytes(MOST_BODY);
    JsonElement read = JsonParser.parseString(new String(body, StandardCharsets.UTF_8));
    if (!read.isJsonObject()) {
      throw new IllegalArgumentException("an object with name, id and gently is expected");
    }
    String name = required(text(read.getAsJsonObject(), "name"));
    HoldId id = new HoldId(required(text(read.getAsJsonObject(), "id")));
    boolean gently = text(read.getAsJsonObject(), "gently").equals(Optional.of("true"));
    // Read before, since the watcher may look in between, and see no such hold any more.
    Optional<ListedLock> held =
        watcher.latest().locks().stream()
            .filter(lock -> lock.name().equals(name)) // ids of foreign values are not unique
            .filter(lock -> lock.holds().stream().anyMatch(hold -> hold.id().equals(id)))
            .findFirst();
    BreakResult result = gently ? admin.breakGently(name, id) : admin.breakLock(name, id);
    if (result instanceof BreakResult.Broken) {
      held.ifPresent(lock -> watcher.add(gently ? "BROKEN_GENTLY" : "BROKEN", lock));
    }
    send(exchange, 200, Json.of(result));
  }

  private static Optional<String> text(JsonObject json, String member) {
    return json.has(member) && json.get(member).isJsonPrimitive()
        ? Optional.of(json.get(member).getAsString())
        : Optional.empty();
  }

  private static String required(Optional<String> value) {
    return value
        .filter(text -> !text.isEmpty())
        .orElseThrow(() -> new IllegalArgumentException("a name, or an id, is missing"));
  }

  private static Optional<String> parameter(HttpExchange exchange, String name) {
    String query = exchange.getRequestURI().getRawQuery();
    if (query == null) {
      return Optional.empty();
    }
    for (String part : query.split("&", -1)) {
      if (part.startsWith(name + "=")) {
        return Optional.of(
            URLDecoder.decode(part.substring(name.length() + 1), StandardCharsets.UTF_8));
      }
    }
    return Optional.empty();
  }

  private static void failed(HttpExchange exchange, int code, String why) throws IOException {
    JsonObject json = new JsonObject();
    json.addProperty("error", Quoted.text(why));
    send(exchange, code, json);
  }

  private static void send(HttpExchange exchange, int code, JsonElement json) throws IOException {
    send(exchange, code, "application/json", json.toString());
  }

  private static void send(HttpExchange exchange, int code, String type, String text)
      throws IOException {
    send(exchange, code, type, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void send(HttpExchange exchange, int code, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
