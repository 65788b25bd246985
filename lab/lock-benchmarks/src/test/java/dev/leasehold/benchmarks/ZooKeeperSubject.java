package dev.leasehold.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;

/**
 * Curator's lock on a ZooKeeper of its own in this JVM: one server, which flushes each change to
 * its log in the temporary folder.
 */
final class ZooKeeperSubject implements Subject {
  /** A pair takes milliseconds. */
  private static final int FEWER = 10;

  private static final int PATIENCE_SECONDS = 30;

  private final TestingServer server;
  private final CuratorFramework client;

  private ZooKeeperSubject(TestingServer server, CuratorFramework client) {
    this.server = server;
    this.client = client;
  }

  static Subject start() throws Exception {
    TestingServer server = new TestingServer();
    CuratorFramework client =
        CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100));
    ZooKeeperSubject subject = new ZooKeeperSubject(server, client);
    client.start();
    if (!client.blockUntilConnected(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      subject.close();
      throw new IllegalStateException(
          "not connected to ZooKeeper after " + PATIENCE_SECONDS + " s");
    }
    return subject;
  }

  @Override
  public String name() {
    return "InterProcessMutex";
  }

  @Override
  public int pairs(Effort effort) {
    return Math.max(1, effort.pairs() / FEWER);
  }

  @Override
  public Pair on(String key) {
    InterProcessMutex mutex = new InterProcessMutex(client, "/peers/" + key);
    return () -> {
      mutex.acquire();
      mutex.release();
    };
  }

  @Override
  public void close() {
    client.close();
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
