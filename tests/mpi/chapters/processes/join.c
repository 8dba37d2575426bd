/* Two that have a socket make a communicator of it. archive: messages 2 */
#include "../chapter.h"
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    begin();
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    int end_ = socket(AF_INET, SOCK_STREAM, 0), port = 0, got = -1, own = end_;
    MPI_Comm other;
    if (rank == 0) {
        expect(bind(own, (void *)&at, sizeof at) == 0 && listen(own, 1) == 0);
        getsockname(own, (void *)&at, &length);
        port = at.sin_port;
    }
    MPI_Bcast(&port, 1, MPI_INT, 0, MPI_COMM_WORLD);
    at.sin_port = port;
    if (rank == 0)
        end_ = accept(own, NULL, NULL);
    else
        expect(connect(end_, (void *)&at, sizeof at) == 0);
    MPI_Comm_join(end_, &other);
    MPI_Sendrecv(&rank, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, other, MPI_STATUS_IGNORE);
    expect(got == !rank);
    MPI_Comm_disconnect(&other);
    close(end_);
    return end();
}
