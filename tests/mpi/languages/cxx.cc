// C++: see README.md. MPI's calls come from lambdas, templates, constructors and destructors.
#include <mpi.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

namespace {

int me, other;

template <typename T> struct type;
template <> struct type<int> {
    static MPI_Datatype of() { return MPI_INT; }
};

template <typename T, std::size_t N> void send(const std::array<T, N> &out, int tag)
{
    MPI_Send(out.data(), N, type<T>::of(), other, tag, MPI_COMM_WORLD);
}

int blocking()
{
    if (me == 0) {
        send(std::array<int, 3>{11, 22, 33}, 7);
        int got = 0;
        MPI_Recv(&got, 1, MPI_INT, other, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return got;
    }
    std::vector<int> in(5);
    MPI_Status status;
    MPI_Recv(in.data(), 5, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    int got = 0;
    MPI_Get_count(&status, MPI_INT, &got);
    send(std::array<int, 1>{got}, 8);
    return std::accumulate(in.begin(), in.end(), 0) + 10 * got + 100 * status.MPI_TAG + 1000 * status.MPI_SOURCE;
}

int request_array()
{
    const std::array<int, 3> out{me + 1, me + 2, me + 3};
    std::array<int, 3> in{};
    std::array<MPI_Request, 4> requests;
    std::array<MPI_Status, 4> statuses;
    MPI_Irecv(&in[0], 2, MPI_INT, other, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&in[2], 1, MPI_INT, other, 21, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&out[0], 2, MPI_INT, other, 20, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&out[2], 1, MPI_INT, other, 21, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(requests.size(), requests.data(), statuses.data());
    return in[0] + in[1] + in[2] + 100 * statuses[0].MPI_TAG + 10 * (statuses[0].MPI_SOURCE + statuses[1].MPI_SOURCE);
}

int single_waits()
{
    int out = 5 + me, in = 0;
    MPI_Request receive, send;
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 30, MPI_COMM_WORLD, &receive);
    MPI_Isend(&out, 1, MPI_INT, other, 30, MPI_COMM_WORLD, &send);
    const auto wait = [](MPI_Request &request) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    };
    wait(receive);
    wait(send);
    return in;
}

// Two persistent requests, freed by the destructor.
struct Exchange {
    int out = 0, in = 0;
    MPI_Request requests[2];

    Exchange()
    {
        MPI_Recv_init(&in, 1, MPI_INT, other, 40, MPI_COMM_WORLD, &requests[0]);
        MPI_Send_init(&out, 1, MPI_INT, other, 40, MPI_COMM_WORLD, &requests[1]);
    }

    int operator()(int value)
    {
        out = value;
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        return in;
    }

    ~Exchange()
    {
        for (auto &request : requests)
            MPI_Request_free(&request);
    }
};

int persistent()
{
    Exchange exchange;
    int sum = 0;
    for (int k = 1; k <= 3; k++)
        sum += k * exchange(100 * k + me);
    return sum;
}

int collective()
{
    std::array<int, 2> sum{me + 1, 10 * (me + 1)};
    int told = me == 1 ? 77 : 0;
    MPI_Allreduce(MPI_IN_PLACE, sum.data(), 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(&told, 1, MPI_INT, 1, MPI_COMM_WORLD);
    return sum[0] + sum[1] + told;
}

int turned_round()
{
    MPI_Comm turned;
    int rank = 0, out = 9 * (me + 1), in = 0;
    MPI_Comm_split(MPI_COMM_WORLD, 0, other, &turned);
    MPI_Comm_rank(turned, &rank);
    MPI_Sendrecv(&out, 1, MPI_INT, 1 - rank, 60, &in, 1, MPI_INT, 1 - rank, 60, turned, MPI_STATUS_IGNORE);
    MPI_Comm_free(&turned);
    return in + 50 * rank;
}

int race(int late, std::string &order)
{
    const double end = MPI_Wtime() + 0.03;
    while (me == late && MPI_Wtime() < end) {
    }
    std::array<int, 4> out;
    std::array<MPI_Request, 4> requests;
    for (int k = 0; k < 4; k++) {
        out[k] = 10 * me + k;
        if (me == 1)
            MPI_Send(&out[k], 1, MPI_INT, 0, 50, MPI_COMM_WORLD);
        else
            MPI_Isend(&out[k], 1, MPI_INT, 0, 50, MPI_COMM_WORLD, &requests[k]);
    }
    if (me == 1)
        return 0;
    int sum = 0;
    for (int k = 0; k < 8; k++) {
        int in = 0;
        MPI_Status status;
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, &status);
        order += std::to_string(status.MPI_SOURCE);
        sum += in;
    }
    MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
    return sum;
}

} // namespace

int main(int argc, char **argv)
{
    const char *word = std::getenv("LATE");
    const int late = word ? std::atoi(word) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    other = 1 - me;
    std::string order;
    int result = blocking() + request_array() + single_waits() + persistent() + collective() + turned_round();
    result += race(late, order);
    int sum = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Reduce(&result, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0)
        std::cout << "result " << sum << "\norder " << order << std::endl;
    MPI_Finalize();
}
