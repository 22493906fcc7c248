/* SANITIZED is defined in builds with the address or the thread sanitizer, by
   whichever compiler: their shadow memory is terabytes, and they are slow. */
#ifndef TAFL_BASE_SANITIZED_H
#define TAFL_BASE_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#endif
