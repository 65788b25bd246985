package dev.leasehold.cli;

import dev.leasehold.admin.LockAdmin;
import dev.leasehold.cli.console.ConsoleServer;
import dev.leasehold.cli.console.LockWatcher;
import dev.leasehold.lock.spi.Setting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Serves a web page that shows the locks. */
@Command(
    name = "console",
    sortOptions = false,
    description =
        "Serves a web page that shows the locks in use, their waiters and the latest changes."
            + " Read-only unless --allow-break is given. Runs until interrupted.")
final class ConsoleCommand extends AdminCommand {
  private static final int MOST_PORTS = 65_535;
  private static final Duration SHORTEST = Duration.ofMillis(200);

  @Mixin PatternOption names;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "8379",
      description = "Port of the page; 0 for any free port. Default: ${DEFAULT-VALUE}.")
  int port;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description =
          "Address to listen on. Default: ${DEFAULT-VALUE}, reachable from this machine only. The"
              + " page has neither passwords nor TLS: put a proxy that has them in front of any"
              + " other address.")
  String bind;

  @Option(
      names = "--host",
      paramLabel = "NAME",
      description =
          "Host name by which browsers may reach the page, in addition to localhost and the"
              + " address; may be repeated. Requests for other names are refused.")
  Set<String> hosts = new LinkedHashSet<>();

  @Option(
      names = "--every",
      paramLabel = "TIME",
      defaultValue = "1s",
      description = "Interval between reads, 200ms to 1h. Default: ${DEFAULT-VALUE}.")
  String every;

  @Option(
      names = "--allow-break",
      description = "Allows the page to break holds, with the token that is printed at the start.")
  boolean allowBreak;

  private Duration pause = SHORTEST;
  private InetSocketAddress at = new InetSocketAddress(0);

  @Override
  void check() {
    pause =
        Setting.duration("--every", SHORTEST, SHORTEST, Duration.ofHours(1), "")
            .parse(every, "command line");
    at = address();
  }

  @Override
  int run(LockAdmin admin, CommandSettings settings) throws InterruptedException {
    @Nullable String token = allowBreak ? token() : null;
    names.apply(admin::list); // refuses a wrong pattern now
    try (LockWatcher watcher = new LockWatcher(admin, names.pattern, pause);
        ConsoleServer console = new ConsoleServer(admin, watcher, at, hosts, token)) {
      System.out.println("http://" + shown(at.getAddress()) + ":" + console.port() + "/");
      if (token != null) {
        System.out.println("token to break holds: " + token);
      }
      System.out.flush();
      if (!at.getAddress().isLoopbackAddress()) {
        Messages.warning(
            "anyone who can reach " + bind + " sees the names and holders of the locks");
      }
      new CountDownLatch(1).await(); // until an interrupt
      return ExitCode.OK;
    } catch (IOException e) {
      throw new UsageException(
          "--port = "
              + port
              + ": can't listen on "
              + bind
              + " ("
              + e.getMessage()
              + "); allowed is a free port, or 0 for any");
    }
  }

  private InetSocketAddress address() {
    if (port < 0 || port > MOST_PORTS) {
      throw new UsageException("--port = " + port + ": allowed is 0 to " + MOST_PORTS);
    }
    try {
      return new InetSocketAddress(InetAddress.getByName(bind), port);
    } catch (UnknownHostException e) {
      throw new UsageException("--bind = '" + bind + "': allowed is an address of this machine");
    }
  }

  private static String shown(InetAddress address) {
    String text = address.isAnyLocalAddress() ? "localhost" : address.getHostAddress();
    return text.contains(":") ? "[" + text + "]" : text;
  }

  private static String token() {
    byte[] bytes = new byte[16];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
