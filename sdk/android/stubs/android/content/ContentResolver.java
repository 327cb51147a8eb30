package android.content;

/** Signature only, to compile against: on a phone Android has the class. */
public abstract class ContentResolver {}
