package dev.leasehold.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("etcd is measured where it is installed")
class EtcdSubjectTest {
  @Test
  @DisplayName("The first executable of that name on the path is found")
  void found(@TempDir Path folder) throws Exception {
    Path text = Files.createDirectory(folder.resolve("text"));
    Files.createFile(text.resolve("etcd"));
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Path etcd = Files.createFile(bin.resolve("etcd"));
    assertTrue(etcd.toFile().setExecutable(true));
    String path = String.join(File.pathSeparator, folder.toString(), text.toString());
    assertEquals(Optional.empty(), EtcdSubject.installed(""));
    assertEquals(Optional.empty(), EtcdSubject.installed(path));
    assertEquals(Optional.of(etcd), EtcdSubject.installed(path + File.pathSeparator + bin));
  }

  @Test
  @DisplayName("One that does not answer is ended, with its folder")
  void silent(@TempDir Path folder) throws Exception {
    Path silent = folder.resolve("etcd");
    Files.writeString(
        silent, "#!/bin/sh\necho $$ $1 > " + folder.resolve("seen") + "\nexec sleep 600\n");
    assertTrue(silent.toFile().setExecutable(true));
    assertThrows(
        IllegalStateException.class, () -> EtcdSubject.start(silent, Duration.ofSeconds(2)));
    String[] seen = Files.readString(folder.resolve("seen")).strip().split(" ", 2);
    assertFalse(ProcessHandle.of(Long.parseLong(seen[0])).isPresent());
    assertFalse(Files.exists(Path.of(seen[1].replace("--data-dir=", ""))));
  }

  @Test
  @DisplayName("One that can't be started leaves no folder")
  void broken(@TempDir Path folder) throws Exception {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    List<Path> before = folders(temporary);
    assertThrows(IOException.class, () -> EtcdSubject.start(folder.resolve("etcd")));
    assertEquals(before, folders(temporary));
  }

  private static List<Path> folders(Path temporary) throws IOException {
    try (Stream<Path> all = Files.list(temporary)) {
      return all.filter(path -> path.getFileName().toString().startsWith("etcd")).sorted().toList();
    }
  }
}
