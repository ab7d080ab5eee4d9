import { secureHeaders } from 'hono/secure-headers';

/**
 * Everything that a page loads comes from this app, as a file of its own: with no inline script or style there
 * is no need for nonces. Whether browsers must use HTTPS is for the proxy to say, which has the certificate.
 */
export const securityHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  // With `no-referrer` browsers would send `Origin: null` with a form.
  referrerPolicy: 'same-origin',
  crossOriginResourcePolicy: 'same-origin',
  crossOriginOpenerPolicy: 'same-origin',
  xFrameOptions: 'DENY',
  strictTransportSecurity: false,
  permissionsPolicy: { camera: [], microphone: [], geolocation: [] },
});
