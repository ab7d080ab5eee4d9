import { secureHeaders } from 'hono/secure-headers';

/**
 * Everything that a page loads comes from this app, as a file of its own: with no inline script or style there
 * is no need for nonces. Whether browsers must use HTTPS is for the proxy to say, which has the certificate.
 */
export const securityHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'self'"],
    // The arrow of a select, which is in the style.
    imgSrc: ["'self'", 'data:'],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  // With `no-referrer` browsers would send `Origin: null` with a form.
  referrerPolicy: 'same-origin',
  strictTransportSecurity: false,
});
