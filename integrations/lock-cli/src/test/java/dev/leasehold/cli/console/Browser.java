package dev.leasehold.cli.console;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Chromium with one page, without a window, driven by its DevTools protocol. */
final class Browser implements AutoCloseable {
  private static final List<String> PROGRAMS =
      List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
  private static final Pattern LISTENING =
      Pattern.compile("DevTools listening on ws://127\\.0\\.0\\.1:(\\d+)/");

  private final Process process;
  private final WebSocket socket;
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonObject>> answers = new ConcurrentHashMap<>();

  private Browser(Process process, int port) throws Exception {
    this.process = process;
    HttpClient client = HttpClient.newHttpClient();
    URI create = URI.create("http://127.0.0.1:" + port + "/json/new?about:blank");
    HttpRequest request =
        HttpRequest.newBuilder(create).PUT(HttpRequest.BodyPublishers.noBody()).build();
    String page = client.send(request, BodyHandlers.ofString()).body();
    String address =
        JsonParser.parseString(page).getAsJsonObject().get("webSocketDebuggerUrl").getAsString();
    this.socket =
        client.newWebSocketBuilder().buildAsync(URI.create(address), new Listener()).join();
  }

  /** The program; empty if there is none on this machine. */
  static Optional<Path> program() {
    return PROGRAMS.stream().map(Path::of).filter(Files::isExecutable).findFirst();
  }

  /** Starts it with an empty profile in this folder. */
  static Browser start(Path program, Path profile) throws Exception {
    Process process =
        new ProcessBuilder(
                program.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--user-data-dir=" + profile,
                "--remote-debugging-port=0",
                "about:blank")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      BufferedReader said = process.errorReader();
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        Matcher listening = LISTENING.matcher(line);
        if (listening.find()) {
          drain(said);
          return new Browser(process, Integer.parseInt(listening.group(1)));
        }
      }
      throw new IOException(program + " ended");
    } catch (Exception | Error e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /** So that it never waits for a full pipe. */
  private static void drain(BufferedReader said) {
    Thread thread = new Thread(() -> said.lines().forEach(line -> {}), "browser-stderr");
    thread.setDaemon(true);
    thread.start();
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        JsonObject message = JsonParser.parseString(text.toString()).getAsJsonObject();
        text.setLength(0);
        CompletableFuture<JsonObject> waits =
            message.has("id") ? answers.remove(message.get("id").getAsInt()) : null;
        if (waits != null) {
          waits.complete(message);
        }
      }
      from.request(1);
      return null;
    }
  }

  private JsonObject call(String method, JsonObject parameters) throws Exception {
    int id = ids.incrementAndGet();
    CompletableFuture<JsonObject> answer = new CompletableFuture<>();
    answers.put(id, answer);
    JsonObject call = new JsonObject();
    call.addProperty("id", id);
    call.addProperty("method", method);
    call.add("params", parameters);
    socket.sendText(call.toString(), true).get(20, TimeUnit.SECONDS);
    JsonObject message = answer.get(20, TimeUnit.SECONDS);
    if (message.has("error")) {
      throw new AssertionError(method + ": " + message);
    }
    return message.getAsJsonObject("result");
  }

  void open(URI page) throws Exception {
    JsonObject parameters = new JsonObject();
    parameters.addProperty("url", page.toString());
    call("Page.navigate", parameters);
  }

  /** The value of a JavaScript expression, a string, number or Boolean, as text. */
  String value(String expression) throws Exception {
    JsonObject parameters = new JsonObject();
    parameters.addProperty("expression", expression);
    parameters.addProperty("awaitPromise", true);
    parameters.addProperty("returnByValue", true);
    JsonObject answer = call("Runtime.evaluate", parameters);
    if (answer.has("exceptionDetails")) {
      throw new AssertionError(expression + ": " + answer);
    }
    JsonElement value = answer.getAsJsonObject("result").get("value");
    return value == null ? "" : value.getAsString();
  }

  void size(int width, int height, boolean phone) throws Exception {
    JsonObject parameters = new JsonObject();
    parameters.addProperty("width", width);
    parameters.addProperty("height", height);
    parameters.addProperty("deviceScaleFactor", 1);
    parameters.addProperty("mobile", phone);
    call("Emulation.setDeviceMetricsOverride", parameters);
  }

  void scheme(String lightOrDark) throws Exception {
    JsonObject feature = new JsonObject();
    feature.addProperty("name", "prefers-color-scheme");
    feature.addProperty("value", lightOrDark);
    JsonObject parameters = new JsonObject();
    com.google.gson.JsonArray features = new com.google.gson.JsonArray();
    features.add(feature);
    parameters.add("features", features);
    call("Emulation.setEmulatedMedia", parameters);
  }

  byte[] picture() throws Exception {
    JsonObject answer = call("Page.captureScreenshot", new JsonObject());
    return Base64.getDecoder().decode(answer.get("data").getAsString());
  }

  /** Presses and releases a key, such as Tab or Enter. */
  void key(String key, int code) throws Exception {
    for (String type : List.of("keyDown", "keyUp")) {
      JsonObject parameters = new JsonObject();
      parameters.addProperty("type", type);
      parameters.addProperty("key", key);
      parameters.addProperty("code", key);
      parameters.addProperty("windowsVirtualKeyCode", code);
      if (key.equals("Enter") && type.equals("keyDown")) {
        parameters.addProperty("text", "\r");
      }
      call("Input.dispatchKeyEvent", parameters);
    }
  }

  @Override
  public void close() {
    socket.abort();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().onExit().join();
  }
}
