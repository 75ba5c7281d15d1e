// The video network's filters as a user of OpenCV would write them, to be compared with:
//
//     g++ -O3 -march=native opencv.cpp $(pkg-config --cflags --libs opencv4) -o opencv
//     opencv VIDEO [THREADS [DUMP]]
//
// VIDEO is JPEG images one after the other. The file is read first and played until two seconds
// are over; then the rate is told. DUMP gets, of each frame, what Screen's dump has: the decoded
// image and the motion.
#include <opencv2/opencv.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

using cv::Mat;

static std::vector<std::vector<unsigned char>> read_video(const char *name)
{
    std::ifstream file(name, std::ios::binary);
    std::vector<unsigned char> bytes((std::istreambuf_iterator<char>(file)), {});
    std::vector<std::vector<unsigned char>> frames;
    size_t start = 0;

    for (size_t i = 0; i + 1 < bytes.size(); i++) {
        if (bytes[i] == 0xff && bytes[i + 1] == 0xd8)
            start = i;
        if (bytes[i] == 0xff && bytes[i + 1] == 0xd9)
            frames.emplace_back(bytes.begin() + start, bytes.begin() + i + 2);
    }
    return frames;
}

static Mat edges(const Mat &image)
{
    Mat blurred, gx, gy, size, result;

    cv::GaussianBlur(image, blurred, {15, 15}, 0, 0, cv::BORDER_REPLICATE);
    cv::Sobel(blurred, gx, CV_32F, 1, 0, 3, 1, 0, cv::BORDER_REPLICATE);
    cv::Sobel(blurred, gy, CV_32F, 0, 1, 3, 1, 0, cv::BORDER_REPLICATE);
    cv::magnitude(gx, gy, size);
    size.convertTo(result, CV_8U);
    return result;
}

static Mat gradient(const Mat &image, bool across)
{
    Mat result, kernel = (cv::Mat_<float>(1, 3) << -1, 0, 1);

    cv::filter2D(image, result, CV_32F, across ? kernel : kernel.t(), {-1, -1}, 0,
                 cv::BORDER_REPLICATE);
    return result;
}

static Mat sum(const Mat &a, const Mat &b)
{
    Mat result;

    cv::boxFilter(a.mul(b), result, CV_64F, {5, 5}, {-1, -1}, false, cv::BORDER_REPLICATE);
    return result;
}

static Mat part(const Mat &numerator, const Mat &det)
{
    Mat result, rounded;

    cv::divide(numerator * 32, det, result);
    cv::min(cv::max(result, -128), 127, result);
    result.convertTo(rounded, CV_32S); // halves to even
    rounded.convertTo(result, CV_32F);
    return result;
}

static Mat motion(const Mat &now, const Mat &before)
{
    Mat ix = gradient(now, true), iy = gradient(now, false), it, size, result;

    cv::subtract(now, before, it, cv::noArray(), CV_32F);
    Mat a = sum(ix, ix), b = sum(ix, iy), c = sum(iy, iy), s = sum(ix, it), t = sum(iy, it);
    Mat det = a.mul(c) - b.mul(b);
    cv::magnitude(part(b.mul(t) - c.mul(s), det), part(b.mul(s) - a.mul(t), det), size);
    size.convertTo(result, CV_8U);
    result.setTo(0, det < 1000);
    return result;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    auto frames = read_video(argv[1]);
    FILE *dump = argc > 3 ? fopen(argv[3], "wb") : nullptr;
    auto start = std::chrono::steady_clock::now();
    double seconds = 0;
    long count = 0;
    Mat before;

    cv::setNumThreads(argc > 2 ? atoi(argv[2]) : 1);
    while (seconds < 2 && !(dump && count)) {
        for (const auto &frame : frames) {
            Mat image = cv::imdecode(frame, cv::IMREAD_GRAYSCALE), now = edges(image);
            Mat flow = before.empty() ? Mat::zeros(now.size(), CV_8U) : motion(now, before);
            if (dump)
                for (const Mat &m : {image, flow})
                    fwrite(m.data, 1, m.total(), dump);
            before = now;
            count++;
        }
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    if (dump)
        fclose(dump);
    printf("%.0f frames/s\n", count / seconds);
}
