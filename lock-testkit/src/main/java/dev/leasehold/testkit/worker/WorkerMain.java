package dev.leasehold.testkit.worker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The worker's side of the protocol: reads commands, dispatches each to its lane, and writes the
 * answers.
 */
final class WorkerMain {
  private static final ReentrantLock WRITING = new ReentrantLock();

  private WorkerMain() {}

  public static void main(String[] args) throws IOException {
    PrintStream answers = System.out;
    System.setOut(System.err); // output of client libraries must not mix with answers
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    WorkerSession session = new WorkerSession();
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      List<String> words = LineFormat.words(line);
      String id = words.get(0);
      List<String> command = words.subList(2, words.size());
      if (command.get(0).equals("reset")) {
        answer(answers, id, session::close);
        session = new WorkerSession();
        continue;
      }
      WorkerSession current = session;
      Runnable work = () -> answer(answers, id, () -> current.run(command));
      if (command.get(0).equals("lane-with-thread-id")) {
        answer(
            answers,
            id,
            () -> current.laneWithThreadId(words.get(1), Long.parseLong(words.get(3))));
      } else {
        current.lane(words.get(1)).execute(work);
      }
    }
    System.exit(0); // the parent is gone
  }

  private interface Work {
    List<String> run() throws Exception;
  }

  private static void answer(PrintStream answers, String id, Work work) {
    List<String> reply = new ArrayList<>(List.of(id));
    try {
      List<String> result = work.run();
      reply.add("ok");
      reply.addAll(result);
    } catch (Throwable e) {
      reply.addAll(List.of("failed", e.getClass().getSimpleName(), String.valueOf(e.getMessage())));
    }
    WRITING.lock();
    try {
      answers.println(LineFormat.line(reply));
      answers.flush();
    } finally {
      WRITING.unlock();
    }
  }
}
