package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;

import dev.leasehold.redisson.AdapterScene;
import dev.leasehold.simulation.ReplyError;
import java.util.List;

/**
 * The required behaviour of the scripts for semaphores, read/write locks and latches on Redisson's
 * keys, on a server with a manual clock. Each method throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class AdapterStories extends AdapterScene {
  private static final String ONE = "c1:abcdefghijklmnopqrstu1";
  private static final String TWO = "c1:abcdefghijklmnopqrstu2";
  private static final String THREE = "c1:abcdefghijklmnopqrstu3";
  private static final long LEASE = 10_000;
  private static final long MINUTE = 60_000;
  private static final long SECOND = 1000;

  private boolean reads(String token, long ttl) {
    return enters(token, false, ttl, "") > 0;
  }

  private boolean writes(String token) {
    return enters(token, true, LEASE, "") > 0;
  }

  void writerIsExclusive() {
    check(reads(ONE, LEASE) && reads(TWO, LEASE), "two readers");
    check(!writes(THREE), "a writer is granted beside readers");
    leaves(ONE, false);
    check(!writes(THREE), "a writer beside the second reader");
    leaves(TWO, false);
    check(writes(THREE), "there is no reader");
    check(!reads(ONE, LEASE), "a reader is granted beside a writer");
  }

  void writerMayAlsoRead() {
    writes(ONE);
    check(enters(ONE, false, LEASE, ONE) > 0, "refused to its own owner");
    check(enters(TWO, false, LEASE, TWO) <= 0, "beside another's write");
  }

  void keyLivesAsLongAsTheLongestReader() {
    reads(ONE, LEASE);
    reads(TWO, MINUTE);
    check(server.call("PTTL", "a").equals(MINUTE), "it ends sooner");
    leaves(TWO, false);
    check(server.call("PTTL", "a").equals(LEASE), "it ends later");
  }

  void repeatedAcquisitionDoesNotShortenASide() {
    reads(ONE, MINUTE);
    reads(ONE, SECOND);
    passes(LEASE);
    check(!writes(TWO), "shortened");
  }

  void renewalDoesNotReviveAnExpiredSide() {
    reads(ONE, LEASE);
    reads(TWO, MINUTE);
    passes(LEASE + SECOND);
    check(!renews(ONE, false, MINUTE), "revived");
    check(renews(TWO, false, MINUTE), "another's is over");
  }

  void renewalDoesNotShortenASide() {
    reads(ONE, MINUTE);
    renews(ONE, false, SECOND);
    passes(LEASE);
    check(!writes(TWO), "shortened");
  }

  void invalidFenceRefusesTheLock() {
    spoilFences();
    try {
      reads(ONE, LEASE);
      check(false, "a fence was drawn");
    } catch (ReplyError expected) {
      check(server.call("EXISTS", "a").equals(0L), "it is held");
    }
  }

  private boolean takes(String token, int wanted, int of) {
    return asks(token, LEASE, wanted, of, false).equals(1L);
  }

  void noMorePermitsThanExist() {
    check(takes(ONE, 1, 2) && takes(TWO, 1, 2), "two of two were refused");
    check(!takes(THREE, 1, 2), "three of two");
  }

  void permitIsFreeWhenItExpiresAndNotEarlier() {
    takes(ONE, 1, 1);
    passes(LEASE - SECOND / 2);
    check(!takes(TWO, 1, 1), "free too soon");
    passes(SECOND);
    check(takes(TWO, 1, 1), "a dead one's permit is held");
  }

  void plainClientsClockMayBeSlow() {
    server.call("SET", "a", "0");
    plainPermit("abcdefghijklmnop", LEASE);
    passes(LEASE + SECOND / 2);
    check(!takes(ONE, 1, 1), "free too soon");
    passes(SECOND);
    check(takes(ONE, 1, 1), "a dead one's permit is held");
  }

  void differentPermitCountIsRefused() {
    takes(ONE, 1, 2);
    check(asks(TWO, LEASE, 1, 5, false).equals(List.of(0L, 2L)), "another number");
    check(resizes(5, 3) == 2, "resized by a client with another number");
    check(resizes(2, 3) == 3 && count().equals(List.of(3L, 1L)), "not resized");
  }

  void waiterForMorePermitsHoldsTheDoor() {
    takes(ONE, 2, 3);
    asks(TWO, LEASE, 2, 3, true);
    check(!takes(THREE, 1, 3), "what has to gather is taken");
    passes(3 * SECOND);
    check(takes(THREE, 1, 3), "a dead one holds the door");
  }

  void leavingOpensTheDoor() {
    takes(ONE, 2, 3);
    asks(TWO, LEASE, 2, 3, true);
    waitsNoMore(TWO);
    check(takes(THREE, 1, 3), "a waiter that left holds the door");
  }

  void onlyItsOwnPermitsAreReleased() {
    takes(ONE, 2, 2);
    gives(TWO);
    check(count().equals(List.of(2L, 2L)), "a stranger's: " + count());
    check(gives(ONE) == 1 && count().equals(List.of(2L, 0L)), "given back: " + count());
  }

  void renewalDoesNotReviveExpiredPermits() {
    takes(ONE, 1, 1);
    passes(LEASE);
    check(!renewsPermits(ONE, MINUTE), "revived");
  }

  void renewalExtendsAllPermits() {
    takes(ONE, 2, 2);
    check(renewsPermits(ONE, MINUTE), "not renewed");
    passes(LEASE + 2 * SECOND);
    check(count().equals(List.of(2L, 2L)), "held: " + count());
  }

  void repeatedCountDownCountsOnce() {
    check(opens("r1", 2, MINUTE) && countsDown("t1") && countsDown("t1"), "not counted");
    check(missing() == 1, "missing: " + missing());
  }

  void allWaitersAreNotifiedAtZero() {
    opens("r1", 2, MINUTE);
    List<String> told = told();
    countsDown("t1");
    check(told.isEmpty(), "told before zero");
    countsDown("t2");
    check(told.equals(List.of("0")), "told: " + told);
    check(server.call("EXISTS", "a").equals(0L), "the number is there");
    check(!countsDown("t3"), "below zero");
  }

  void expiredLatchIsNotCountedDown() {
    opens("r1", 1, MINUTE);
    passes(MINUTE + SECOND);
    check(!countsDown("t1"), "counted, and it is over");
  }

  void expiredLatchDidNotReachZero() {
    opens("r1", 1, MINUTE);
    passes(MINUTE + SECOND);
    check(missing() == 1 && missing() == 1, "missing: " + missing());
    check(server.call("EXISTS", "a").equals(0L), "plain clients wait for ever");
  }

  void openLatchIsNotOpenedAgain() {
    opens("r1", 2, MINUTE);
    check(!opens("r2", 5, MINUTE) && missing() == 2, "opened anew: " + missing());
  }
}
