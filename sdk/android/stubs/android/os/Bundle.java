package android.os;

/** Signature only, to compile against: on a phone Android has the class. */
public final class Bundle {}
