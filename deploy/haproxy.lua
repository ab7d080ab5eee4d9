-- HAProxy before 3.2 responds with its own HTML page to bytes that it cannot parse, whatever `http-error` says. This
-- service sends an Error body instead: see `frontend public` in haproxy.cfg.
local body = '{"code":"malformed_request","message":"The request is not valid HTTP, or its headers are too long","status":400}'

core.register_service('malformed', 'tcp', function(applet)
  applet:send('HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ' .. #body ..
    '\r\nConnection: close\r\n\r\n' .. body)
end)
