-- Sends the requests of a file in turn and writes what came of it as one line of JSON.
--
-- wrk … -s wrk.lua <url> -- <file> <threads>. In the file each request follows a line with its length in bytes. The environment's PORTS are the
-- ports among which the threads are divided.

local threads = 0
local ports = {}
for port in os.getenv("PORTS"):gmatch("%d+") do ports[#ports + 1] = port end

function setup(thread)
    thread:set("number", threads)
    thread.addr = wrk.lookup("127.0.0.1", ports[threads % #ports + 1])[1]
    threads = threads + 1
end

function init(arguments)
    requests = {}
    local file = assert(io.open(arguments[1], "rb"))
    for length in file:lines() do
        requests[#requests + 1] = file:read(tonumber(length))
    end
    file:close()
    -- Threads take turns, so that none sends what another has sent.
    step = tonumber(arguments[2])
    position = number + 1 - step
end

function request()
    position = position + step
    if position > #requests then position = number + 1 end
    return requests[position]
end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        'RESULT {"requests": %d, "seconds": %f, "p50_ms": %f, "p99_ms": %f, "p999_ms": %f, "wrong_status": %d, "broken": %d}\n',
        summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
        latency:percentile(99.9) / 1e3, errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
