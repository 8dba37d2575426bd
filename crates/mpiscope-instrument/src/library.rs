//! Calls that are as good as operators: functions of the C library that never
//! call back, compiler builtins, Fortran's intrinsics.

/// Returns whether a name is of a C or C++ library function that never calls
/// back, or of something that only looks like a call.
pub(crate) fn is_c_operator(name: &str) -> bool {
    let name = name.strip_prefix("std::").unwrap_or(name);
    let prefixes = [
        "__builtin_",
        "__atomic_",
        "__sync_",
        "_mm",
        "va_",
        "__has_",
        "atomic_",
    ];
    prefixes.iter().any(|prefix| name.starts_with(prefix))
        || C.split_whitespace().any(|known| known == name)
        || name
            .strip_suffix(['f', 'l'])
            .is_some_and(|base| MATHS.split_whitespace().any(|known| known == base))
        || MATHS.split_whitespace().any(|known| known == name)
}

const MATHS: &str =
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2
    expm1 fabs fdim floor fma fmax fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log log10
    log1p log2 logb lrint lround modf nan nearbyint nextafter pow remainder remquo rint round scalbn
    sin sincos sinh sqrt tan tanh tgamma trunc j0 j1 jn y0 y1 yn
    cabs carg cexp cimag clog conj cpow creal csqrt ccos csin isnan isinf isfinite signbit";

const C: &str = "abs labs llabs div ldiv rand srand random srandom drand48 srand48 rand_r
    malloc calloc realloc free aligned_alloc posix_memalign alloca
    memcpy memmove memset memcmp memchr strcpy strncpy strcat strncat strcmp strncmp strcasecmp
    strncasecmp strlen strnlen strchr strrchr strstr strtok strtok_r strdup strndup strspn strcspn
    strpbrk strerror atoi atol atoll atof strtol strtoll strtoul strtoull strtod strtof
    printf fprintf sprintf snprintf vprintf vfprintf vsnprintf puts fputs fputc putc putchar
    perror fflush fopen fclose fread fwrite fgets fgetc getc getchar ungetc fseek ftell rewind feof
    ferror scanf fscanf sscanf setvbuf setbuf remove rename
    isalpha isdigit isalnum isspace isupper islower ispunct isprint tolower toupper
    time clock gettimeofday clock_gettime difftime usleep sleep nanosleep getenv setenv
    getpid gethostname getrusage exit abort _Exit _exit assert static_assert _Static_assert defined
    move forward min max swap size_t offsetof sizeof typeof __typeof__ decltype alignof
    omp_get_thread_num omp_get_num_threads omp_get_max_threads omp_get_wtime omp_set_num_threads
    setjmp _setjmp sigsetjmp __sigsetjmp longjmp siglongjmp";
/// Returns whether a name, in lower case, is of a Fortran intrinsic.
pub(crate) fn is_fortran_intrinsic(name: &str) -> bool {
    FORTRAN.split_whitespace().any(|known| known == name)
}

const FORTRAN: &str =
    "abort cpu_time date_and_time system_clock random_number random_seed random_init
    get_command get_command_argument get_environment_variable execute_command_line move_alloc mvbits
    flush exit getarg etime second sleep atomic_define atomic_ref c_f_pointer c_f_procpointer
    co_sum co_max co_min co_broadcast event_query";
