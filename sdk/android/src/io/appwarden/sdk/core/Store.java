package io.appwarden.sdk.core;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What outlives the process: small values in one file, and the queue with a file for each event. A file is written beside and moved to
 * its name, so a process that dies leaves the old one or the new one and never half of one.
 */
public final class Store {
  private static final int CAPACITY = 2000;
  private final File folder;
  private final File queue;
  private final File valuesFile;
  private Map<String, Object> values;
  private long last = -1;

  public Store(File folder) {
    this.folder = folder;
    this.queue = new File(folder, "queue");
    this.valuesFile = new File(folder, "state.json");
  }

  public synchronized Object get(String name) {
    return values().get(name);
  }

  public synchronized String text(String name) {
    Object value = get(name);
    return value instanceof String ? (String) value : "";
  }

  /** A null value removes it. */
  public synchronized void set(String name, Object value) {
    if (value == null) values().remove(name);
    else values().put(name, value);
    write(valuesFile, Json.write(values));
  }

  /** False where the queue is full or the disk refuses. */
  public synchronized boolean add(Map<String, Object> waiting) {
    List<Long> keys = keys(CAPACITY);
    if (keys.size() >= CAPACITY) return false;
    if (last < 0) last = keys.isEmpty() ? 0 : keys.get(keys.size() - 1);
    return put(++last, waiting);
  }

  public synchronized boolean put(long key, Map<String, Object> waiting) {
    return write(file(key), Json.write(waiting));
  }

  /** Keys of the oldest `limit` events in order. */
  public synchronized List<Long> keys(int limit) {
    String[] names = queue.list();
    List<Long> keys = new ArrayList<>();
    if (names == null) return keys;
    Arrays.sort(names);
    for (String name : names) {
      if (keys.size() == limit) break;
      if (name.matches("\\d{16}[.]json")) keys.add(Long.parseLong(name.substring(0, 16)));
    }
    return keys;
  }

  /** Empty for an event that cannot be read any more. */
  public synchronized Map<String, Object> read(long key) {
    return Json.object(readText(file(key)));
  }

  public synchronized void remove(long key) {
    file(key).delete();
  }

  /** Deletes all of it. */
  public synchronized void clear() {
    values = null;
    last = -1;
    delete(folder);
  }

  private Map<String, Object> values() {
    if (values == null) values = Json.object(readText(valuesFile));
    return values;
  }

  private File file(long key) {
    return new File(queue, String.format(Locale.ROOT, "%016d.json", key));
  }

  private static boolean write(File file, String text) {
    File parent = file.getParentFile();
    if (!parent.isDirectory() && !parent.mkdirs() && !parent.isDirectory()) return false;
    File beside = new File(parent, file.getName() + ".new");
    try (FileOutputStream out = new FileOutputStream(beside)) {
      out.write(text.getBytes(Signing.UTF8));
    } catch (IOException error) {
      beside.delete();
      return false;
    }
    return beside.renameTo(file);
  }

  private static String readText(File file) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (FileInputStream in = new FileInputStream(file)) {
      byte[] part = new byte[8192];
      for (int n; (n = in.read(part)) >= 0; ) out.write(part, 0, n);
    } catch (IOException error) {
      return "";
    }
    return new String(out.toByteArray(), Signing.UTF8);
  }

  private static void delete(File file) {
    File[] inside = file.listFiles();
    if (inside != null) for (File one : inside) delete(one);
    file.delete();
  }
}
