package dev.leasehold.redlock;

import static dev.leasehold.redlock.KindScene.FOUR;
import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.ScriptScene.LOCK;
import static dev.leasehold.redlock.ScriptScene.ONE;
import static dev.leasehold.redlock.ScriptScene.THREE;
import static dev.leasehold.redlock.ScriptScene.TWO;

import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import java.time.Duration;
import java.util.List;

/**
 * As {@link KindStories}, for read/write locks only. Static methods without parameters; each throws
 * if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class ReadWriteStories {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private ReadWriteStories() {}

  static void repeatedAcquisitionDoesNotShortenAReader() {
    KindScene k = new KindScene();
    k.enters(ONE, Side.READ, MINUTE, "");
    check(k.enters(ONE, Side.READ, SECOND, "") > 0, "refused what it has");
    k.seconds(11);
    check(k.writes(TWO) < 0, "shortened");
  }

  static void repeatedAcquisitionDoesNotShortenAWriter() {
    KindScene k = new KindScene();
    k.enters(ONE, Side.WRITE, MINUTE, "");
    check(k.enters(ONE, Side.WRITE, SECOND, "") > 0, "refused what it has");
    k.seconds(11);
    check(k.reads(TWO) < 0, "shortened");
  }

  static void repeatedAcquisitionExtendsEitherSide() {
    KindScene k = new KindScene();
    k.enters(ONE, Side.READ, SECOND, "");
    k.enters(ONE, Side.READ, MINUTE, "");
    k.seconds(11);
    check(k.writes(TWO) < 0, "a reader is not prolonged");
    k.gives(ONE, Side.READ);
    k.enters(ONE, Side.WRITE, SECOND, "");
    k.enters(ONE, Side.WRITE, MINUTE, "");
    k.seconds(11);
    check(k.writes(TWO) < 0, "a writer is not prolonged");
  }

  static void majorityHolderTakesNothingFromHolders() {
    KindScene k = new KindScene();
    k.reads(ONE);
    check(k.hasMostNodes(TWO, Side.WRITE) < 0, "a writer beside a reader");
    check(k.gives(ONE, Side.READ) == 1, "a reader has lost the lock");
    k.writes(ONE);
    check(k.hasMostNodes(TWO, Side.WRITE) < 0, "two writers");
    check(k.hasMostNodes(TWO, Side.READ) < 0, "a reader is granted beside a writer");
    check(k.gives(ONE, Side.WRITE) == 1, "a writer has lost the lock");
  }

  static void reservationDoesNotStopTheMajorityHolder() {
    KindScene k = new KindScene();
    k.s.listen("s0");
    k.writes(ONE);
    k.waits(TWO, Side.WRITE);
    check(k.gives(ONE, Side.WRITE) == 3, "nothing is kept: it is no test");
    check(k.hasMostNodes(THREE, Side.READ) > 0, "a writer's turn is in a reader's way");
    k.gives(THREE, Side.READ);
    k.writes(ONE);
    k.waits(TWO, Side.READ);
    k.gives(ONE, Side.WRITE);
    check(k.hasMostNodes(THREE, Side.WRITE) > 0, "a reader's turn is in a writer's way");
  }

  static void readersReservationIsNotUsedByAnother() {
    KindScene k = new KindScene();
    k.s.listen("s0");
    k.writes(ONE);
    k.waits(TWO, Side.READ);
    k.gives(ONE, Side.WRITE);
    check(k.hasMostNodes(THREE, Side.READ) > 0, "readers are not together");
    check(k.gives(TWO, Side.READ) == 1, "another reader has its turn");
  }

  static void numbersBelowItsOwnReaderAreNotReturned() {
    KindScene k = new KindScene();
    long first = k.writes(ONE, 5);
    long read = k.enters(TWO, Side.READ, MINUTE, ONE.token());
    check(read == first + 6, "it does not follow the writer's numbers: it is no test");
    k.gives(ONE, first + 2, first + 5);
    k.gives(TWO, Side.READ);
    check(k.writes(THREE) > read, "a writer's token that a reader had before");
  }

  static void unusedNumbersAreReturned() {
    KindScene k = new KindScene();
    long first = k.writes(ONE, 5);
    k.gives(ONE, first + 2, first + 5);
    check(k.writes(TWO) == first + 3, "not given back");
  }

  static void readingWriterLeavesTheQueue() {
    KindScene k = new KindScene();
    k.writes(ONE);
    for (IfHeld ifHeld : IfHeld.values()) {
      k.waits(TWO, Side.READ);
      check(k.asksAgain(TWO, Side.READ, ONE.token(), ifHeld) > 0, "refused to its own owner");
      isOutOfLine(k);
      k.gives(TWO, Side.READ);
    }
  }

  private static void isOutOfLine(KindScene k) {
    Object line = k.s.server.call("ZRANGE", LOCK + ":rw:wait", "0", "-1");
    check(line.equals(List.of()), "it has the lock, and is in line: " + line);
    check(k.s.server.call("EXISTS", LOCK + ":rw:door").equals(0L), "it has it, and the door");
  }

  static void writerWaitsForAllReaders() {
    KindScene k = new KindScene();
    k.s.listen("s0");
    k.reads(ONE);
    k.reads(TWO);
    k.waits(THREE, Side.WRITE);
    k.waits(FOUR, Side.READ);
    check(k.gives(ONE, Side.READ) == 1, "woken beside a reader");
    check(k.gives(TWO, Side.READ) == 3, "the writer was not woken");
    check(k.reads(FOUR) < 0, "a reader passes the writer");
    check(k.writes(THREE) > 0, "kept from the woken one");
  }
}
