import { HtmlValidate } from 'html-validate';

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // A page that waits for a service may load itself again.
    'meta-refresh': 'off',
    // Hono writes `<br/>` and `required=""`, which HTML allows.
    'void-style': 'off',
    'attribute-boolean-style': 'off',
  },
});

/** Characters that HTML forbids (WHATWG HTML, 13.2.3.5) and html-validate does not report. */
const FORBIDDEN = /(?![\t\n\f\r])\p{Cc}|\p{Noncharacter_Code_Point}/gu;

/**
 * Checks a page against the HTML standard, and the habits that validators recommend.
 * @returns each rule that the page breaks, with the element that breaks it
 */
export async function findHtmlErrors(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  const messages = results.flatMap((result) => result.messages);
  return [
    ...messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector ?? 'the page'})`),
    ...Array.from(html.matchAll(FORBIDDEN), ([character]) => `U+${character.codePointAt(0)?.toString(16)}`),
  ];
}
