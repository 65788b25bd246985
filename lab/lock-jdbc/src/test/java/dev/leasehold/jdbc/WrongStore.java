package dev.leasehold.jdbc;

import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.server.StoreServer;
import dev.leasehold.testkit.view.ServerView;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The store with a mistake in it. Other JVMs make one by its class, since no setting says what is
 * wrong.
 */
abstract class WrongStore implements BackendUnderTest {

  @Override
  public final String name() {
    return getClass().getSimpleName();
  }

  @Override
  public final Reach reach() {
    return Reach.PROCESSES;
  }

  @Override
  public final StoreServer startServer() {
    return H2Server.start();
  }

  @Override
  public final LeaseStore open(String address) {
    return new JdbcLeaseStore(
        new Connections(url(address), JdbcLeaseStore.TABLE) {
          @Override
          <T> T run(String sql, Work<T> work, Object... values) {
            return super.run(wrong(sql), work, values);
          }
        });
  }

  @Override
  public final Optional<ServerView> view(String address) {
    return Optional.of(new JdbcView(address));
  }

  /** Which database it opens. */
  String url(String right) {
    return right;
  }

  @Override
  public final String toString() {
    return name();
  }

  /** What it sends instead of the right statement. */
  String wrong(String right) {
    return right;
  }

  /** As it ships. */
  public static final class NotWrong extends WrongStore {}

  /** A release that frees whatever there is. */
  public static class ReleasesForAnybody extends WrongStore {
    @Override
    String wrong(String right) {
      return right.startsWith("UPDATE lease SET until = 0")
          ? "UPDATE lease SET until = 0, token = '' WHERE name = ?1 AND ?2 IS NOT NULL"
          : right;
    }
  }

  /** The same, on a slow connection: the release of a lost lease fails before the store answers. */
  public static final class ReleasesForAnybodyLater extends ReleasesForAnybody {
    @Override
    String wrong(String right) {
      String sent = super.wrong(right);
      if (!sent.equals(right)) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      }
      return sent;
    }
  }

  /** The mistake that works on a desk: a database inside of each process. */
  public static final class DatabaseOfItsOwn extends WrongStore {
    @Override
    String url(String right) {
      return "jdbc:h2:mem:locks;DB_CLOSE_DELAY=-1";
    }
  }

  /** The application's time in place of the database's. */
  public static final class TimeOfTheApplication extends WrongStore {
    @Override
    String wrong(String right) {
      return right.replace(JdbcLeaseStore.NOW, Long.toString(System.currentTimeMillis() * 1000));
    }
  }

  /** Fencing numbers that each process counts by itself. */
  public static final class NumbersOfTheProcess extends WrongStore {
    /** Far from those of other processes: else numbers may happen to be in order. */
    private static final AtomicLong NUMBERS =
        new AtomicLong(ProcessHandle.current().pid() * 1_000_000);

    @Override
    String wrong(String right) {
      return right.replaceFirst(
          "GREATEST\\(fence \\+ 1, .*?\\) END", NUMBERS.incrementAndGet() + " END");
    }
  }
}
