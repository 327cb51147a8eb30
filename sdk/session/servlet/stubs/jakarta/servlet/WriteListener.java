package jakarta.servlet;

public interface WriteListener {}
