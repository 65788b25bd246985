package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;

import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import java.time.Duration;
import java.util.List;

/**
 * As {@link KindStories}, for read/write locks only. Each method throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class ReadWriteStories extends KindScene {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  void repeatedAcquisitionDoesNotShortenAReader() {
    enters(ONE, Side.READ, MINUTE, "");
    check(enters(ONE, Side.READ, SECOND, "") > 0, "refused what it has");
    seconds(11);
    check(writes(TWO) < 0, "shortened");
  }

  void repeatedAcquisitionDoesNotShortenAWriter() {
    enters(ONE, Side.WRITE, MINUTE, "");
    check(enters(ONE, Side.WRITE, SECOND, "") > 0, "refused what it has");
    seconds(11);
    check(reads(TWO) < 0, "shortened");
  }

  void repeatedAcquisitionExtendsEitherSide() {
    enters(ONE, Side.READ, SECOND, "");
    enters(ONE, Side.READ, MINUTE, "");
    seconds(11);
    check(writes(TWO) < 0, "a reader is not prolonged");
    gives(ONE, Side.READ);
    enters(ONE, Side.WRITE, SECOND, "");
    enters(ONE, Side.WRITE, MINUTE, "");
    seconds(11);
    check(writes(TWO) < 0, "a writer is not prolonged");
  }

  void majorityHolderTakesNothingFromHolders() {
    reads(ONE);
    check(hasMostNodes(TWO, Side.WRITE) < 0, "a writer beside a reader");
    check(gives(ONE, Side.READ) == 1, "a reader has lost the lock");
    writes(ONE);
    check(hasMostNodes(TWO, Side.WRITE) < 0, "two writers");
    check(hasMostNodes(TWO, Side.READ) < 0, "a reader is granted beside a writer");
    check(gives(ONE, Side.WRITE) == 1, "a writer has lost the lock");
  }

  void reservationDoesNotStopTheMajorityHolder() {
    listen("s0");
    writes(ONE);
    waits(TWO, Side.WRITE);
    check(gives(ONE, Side.WRITE) == 3, "nothing is kept: it is no test");
    check(hasMostNodes(THREE, Side.READ) > 0, "a writer's turn is in a reader's way");
    gives(THREE, Side.READ);
    writes(ONE);
    waits(TWO, Side.READ);
    gives(ONE, Side.WRITE);
    check(hasMostNodes(THREE, Side.WRITE) > 0, "a reader's turn is in a writer's way");
  }

  void readersReservationIsNotUsedByAnother() {
    listen("s0");
    writes(ONE);
    waits(TWO, Side.READ);
    gives(ONE, Side.WRITE);
    check(hasMostNodes(THREE, Side.READ) > 0, "readers are not together");
    check(gives(TWO, Side.READ) == 1, "another reader has its turn");
  }

  void numbersBelowItsOwnReaderAreNotReturned() {
    long first = writes(ONE, 5);
    long read = enters(TWO, Side.READ, MINUTE, ONE.token());
    check(read == first + 6, "it does not follow the writer's numbers: it is no test");
    gives(ONE, first + 2, first + 5);
    gives(TWO, Side.READ);
    check(writes(THREE) > read, "a writer's token that a reader had before");
  }

  void unusedNumbersAreReturned() {
    long first = writes(ONE, 5);
    gives(ONE, first + 2, first + 5);
    check(writes(TWO) == first + 3, "not given back");
  }

  void readingWriterLeavesTheQueue() {
    writes(ONE);
    for (IfHeld ifHeld : IfHeld.values()) {
      waits(TWO, Side.READ);
      check(asksAgain(TWO, Side.READ, ONE.token(), ifHeld) > 0, "refused to its own owner");
      isOutOfLine();
      gives(TWO, Side.READ);
    }
  }

  private void isOutOfLine() {
    Object line = server.call("ZRANGE", LOCK + ":rw:wait", "0", "-1");
    check(line.equals(List.of()), "it has the lock, and is in line: " + line);
    check(server.call("EXISTS", LOCK + ":rw:door").equals(0L), "it has it, and the door");
  }

  void writerWaitsForAllReaders() {
    listen("s0");
    reads(ONE);
    reads(TWO);
    waits(THREE, Side.WRITE);
    waits(FOUR, Side.READ);
    check(gives(ONE, Side.READ) == 1, "woken beside a reader");
    check(gives(TWO, Side.READ) == 3, "the writer was not woken");
    check(reads(FOUR) < 0, "a reader passes the writer");
    check(writes(THREE) > 0, "kept from the woken one");
  }
}
