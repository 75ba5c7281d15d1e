/* A program that has a network inside: a thread feeds it, another one reads what comes out. */
#include <dal_run.h>
#include <filter.h>

#include <cstdio>
#include <thread>
#include <vector>

static const int blocks = 1000;

/* Copies in: a call takes as many samples as the caller has. */
static void feed(dal_run *run)
{
    std::vector<float> samples(64);
    for (int block = 0; block < blocks; block++) {
        for (std::size_t i = 0; i < samples.size(); i++)
            samples[i] = float(block) + float(i) / 64;
        if (filter_write_samples(run, samples.data(), samples.size(), DAL_FOREVER) < 64)
            return;
    }
    filter_end_samples(run);
}

/* Looks at samples where they lie, without a copy, until no more come. */
static void listen(dal_run *run, double *sum)
{
    float *window;
    int64_t count;
    while ((count = filter_window_louder(run, &window, DAL_FOREVER)) > 0) {
        for (int64_t i = 0; i < count; i++)
            *sum += double(window[i]);
        filter_advance_louder(run, std::size_t(count));
    }
}

/* Returns how many peaks come, and the last of them. */
static int watch(dal_run *run, float *last)
{
    float peaks[16];
    int64_t count;
    int all = 0;
    while ((count = filter_read_peaks(run, peaks, 16, 100 * DAL_MS)) > 0 ||
           !dal_run_is_over(run, filter_PORT_peaks)) {
        if (count < 0)
            return -1;
        if (count > 0)
            *last = peaks[count - 1];
        all += int(count);
    }
    return all;
}

int main()
{
    dal_run *run;
    dal_run_options options = {};
    double sum = 0;
    float last = 0;

    options.parameters = "Gian.factor=3";
    if (filter_open(&run, &options) < 0)
        std::printf("refused: %s\n", dal_run_message(nullptr));

    options.parameters = "Gain.factor=3";
    if (filter_open(&run, &options) < 0) {
        std::fprintf(stderr, "embed: %s\n", dal_run_message(nullptr));
        return 1;
    }
    std::printf("%d samples in 10 ms: nobody has written any\n",
                int(filter_read_peaks(run, &last, 1, 10 * DAL_MS)));
    std::thread feeder(feed, run), listener(listen, run, &sum);
    int count = watch(run, &last);
    feeder.join();
    listener.join();
    std::printf("%d peaks, the last %.2f; the sum of all samples is %.0f\n", count, double(last),
                sum);
    if (dal_run_close(run) < 0) {
        std::fprintf(stderr, "embed: %s\n", dal_run_message(nullptr));
        return 1;
    }
    return 0;
}
