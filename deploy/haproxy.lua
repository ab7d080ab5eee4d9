-- HAProxy responds to bytes that it cannot parse with an HTML page of its own, which no `http-error` replaces before
-- 3.2. This is the Error body for them; haproxy.cfg says when it is used.
local body = '{"code":"malformed_request","message":"The request is not valid HTTP, or its headers are too long","status":400}'

core.register_service('malformed', 'tcp', function(applet)
  applet:send('HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ' .. #body ..
    '\r\nConnection: close\r\n\r\n' .. body)
end)
