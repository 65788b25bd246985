package dev.leasehold.cli.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer.Data;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Skipped where no Chromium is installed. */
@DisplayName("The console in a browser")
class BrowserTest extends OnConsole {
  private static final Path PICTURES = Path.of("target", "console");
  private static final String NAMES =
      "[...document.querySelectorAll('#locks .name bdi')].map(e => e.textContent).join('|')";

  // The browser's processes may still write to it when they are killed.
  @TempDir(cleanup = CleanupMode.NEVER)
  private Path profile;

  private Browser browser;

  @BeforeEach
  void startBrowser() throws Exception {
    Optional<Path> program = Browser.program();
    assumeTrue(program.isPresent(), "no Chromium on this machine: the page is not looked at");
    try {
      browser = Browser.start(program.get(), profile);
    } catch (IOException e) {
      assumeTrue(false, "Chromium does not start here: the page is not looked at: " + e);
    }
    browser.size(1100, 640, false);
    browser.open(uri("/"));
  }

  @AfterEach
  void stopBrowser() {
    if (browser != null) {
      browser.close();
    }
  }

  private void await(String what, String expression) {
    Await.until(
        what,
        () -> {
          try {
            return browser.value(expression).equals("true");
          } catch (Exception e) {
            throw new AssertionError(what, e);
          }
        });
  }

  private void awaitRow(String name) {
    await(
        name + " is shown",
        "[...document.querySelectorAll('#locks .name bdi')].some(e => e.textContent === '"
            + name
            + "')");
  }

  private void picture(String name) throws Exception {
    Files.createDirectories(PICTURES);
    Files.write(PICTURES.resolve(name + ".png"), browser.picture());
  }

  @Test
  @DisplayName(
      "Under contention of four processes: holders, queues, permits, readers; with pictures")
  void contention() throws Exception {
    List<LockManager> processes = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      processes.add(process("worker@host" + i + "-4711-a1b" + i));
    }
    List<CompletableFuture<Lease>> waiters = new ArrayList<>();
    Lease first = processes.get(0).lock("orders").acquire();
    for (int i = 1; i < 4; i++) {
      waiters.add(processes.get(i).lock("orders").acquireAsync().toCompletableFuture());
    }
    processes.get(1).readWriteLock("prices").read().acquire();
    processes.get(2).readWriteLock("prices").read().acquire();
    processes.get(2).semaphore("exports", 5).acquire(3);
    processes.get(3).latch("loaded").open(2, Duration.ofMinutes(5));
    LockOptions kept = LockOptions.builder().atLeast(Duration.ofMinutes(1)).build();
    processes.get(3).lock("nightly-report", kept).acquire().release();
    awaitRow("loaded");
    awaitRow("nightly-report");
    await(
        "the queue is shown, longest first",
        "document.querySelector('#locks tr').textContent.includes('orders')"
            + " && document.querySelector('#locks tr td:last-child').textContent === '3'");
    assertEquals(
        "3 of 5 permits taken",
        browser.value("document.querySelector('.dots').getAttribute('aria-label')"));
    assertTrue(
        browser.value("document.getElementById('locks').textContent").contains("read by worker@"));
    for (int i = 0; i < 2; i++) {
      Lease lease = i == 0 ? first : anyDone(waiters);
      String grants = // a look between the release and the next grant sees no holder
          "document.getElementById('timeline').textContent.split(/orders (?:passed on|taken)/).length";
      String before = browser.value(grants);
      lease.release();
      await("the hand-over is seen", grants + " > " + before);
    }
    assertEquals("orders", browser.value("document.querySelector('#busiest bdi').textContent"));
    picture("console-light");
    browser.scheme("dark");
    picture("console-dark");
    browser.size(390, 780, true);
    assertEquals(
        "true",
        browser.value("document.documentElement.scrollWidth <= window.innerWidth"),
        "nothing is wider than a phone");
    picture("console-phone");
  }

  private static Lease anyDone(List<CompletableFuture<Lease>> waiters) throws Exception {
    CompletableFuture.anyOf(waiters.toArray(CompletableFuture<?>[]::new)).get();
    for (CompletableFuture<Lease> waiter : waiters) {
      if (waiter.isDone()) {
        waiters.remove(waiter);
        return waiter.get();
      }
    }
    throw new AssertionError("none is done");
  }

  @Test
  @DisplayName("Hostile names are text: no element, no script, no reordering")
  void hostile() throws Exception {
    String markup =
        "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>";
    LockManager process = process("<b>holder</b>".replaceAll("[<>/]", "_"));
    process.lock(markup).acquire();
    process.lock("\u202egnp.exe\n\u001b[31m" + "y".repeat(400)).acquire();
    await("both are shown", "document.querySelectorAll('#locks tr').length === 2");
    assertEquals(
        "0", browser.value("document.querySelectorAll('#locks img, #locks script').length"));
    assertTrue(browser.value(NAMES).contains("<img src=x"), browser.value(NAMES));
    assertEquals("false", browser.value("/[\\u202e\\u001b]/.test(document.body.textContent)"));
    assertEquals("Locks - Leasehold", browser.value("document.title"));
    assertEquals(
        "true", browser.value("document.documentElement.scrollWidth <= window.innerWidth"));
  }

  @Test
  @DisplayName("By keyboard alone: details, and a break that names the holder and needs the token")
  void keyboard() throws Exception {
    Lease lease = process("holder-1", "5s").lock("job").acquire();
    awaitRow("job");
    browser.key("Tab", 9); // the filter
    browser.key("Tab", 9); // the name
    browser.key("Enter", 13);
    await(
        "details are shown",
        "document.getElementById('details-body').textContent.includes('token ')");
    assertEquals("true", browser.value("document.getElementById('details').open"));
    browser.value("document.querySelector('#details-body .danger').focus()");
    browser.key("Enter", 13);
    String warning = "document.getElementById('break-warning').textContent";
    assertTrue(browser.value(warning).contains("the hold of holder-1?"), browser.value(warning));
    assertTrue(
        browser.value(warning).contains("suspends mutual exclusion"), browser.value(warning));
    assertEquals("token", browser.value("document.activeElement.id"));
    browser.value("document.getElementById('token').value = 'wrong'");
    browser.key("Enter", 13);
    String result = "document.getElementById('break-result').textContent";
    await("it is refused", result + ".includes('The token is not')");
    assertTrue(lease.isValid());
    browser.value("document.getElementById('token').value = '" + TOKEN + "'");
    browser.key("Enter", 13);
    await("it is broken", result + ".includes('Broken')");
    Await.until("the loss", () -> !lease.isValid());
  }

  @Test
  @DisplayName("A server that goes away is reported, and the page recovers when it is back")
  void away() throws Exception {
    process("one").lock("job").acquire();
    awaitRow("job");
    server.kill();
    try {
      await("it is said", "!document.getElementById('failure').hidden");
      assertEquals("job", browser.value(NAMES));
    } finally {
      server.restart(Data.LOSE);
    }
    await("it is back", "document.getElementById('failure').hidden");
    URI page = uri("/");
    assertTrue(page.getPort() > 0);
    await("it shows that all is free", "!document.getElementById('none').hidden");
  }
}
