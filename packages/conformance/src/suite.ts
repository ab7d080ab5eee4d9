import { type TestContext, test } from 'node:test';
import { type Check, titleOf } from './check.ts';
import { NoResponseError } from './conformance-error.ts';
import { rejectOnAbort } from './http/send.ts';
import { sendProbe } from './probe-target.ts';
import { current } from './run.ts';

/** node:test loads this file into the process in which run.ts has set the plan. */
const { plan } = current;
if (plan === undefined) throw new TypeError('suite.ts must be loaded by run.ts, which sets the plan');
const { target, checks, timeLimit, totalTimeLimit } = plan;
const end = AbortSignal.timeout(totalTimeLimit);

async function runCheck(check: Check, context: TestContext): Promise<void> {
  if (end.aborted) current.interruption ??= `The checks took more than ${totalTimeLimit / 1_000} s`;
  if (current.interruption !== undefined) return context.skip(current.interruption);
  const signal = AbortSignal.any([context.signal, end]);
  try {
    await Promise.race([check.run({ ...target, signal }), rejectOnAbort(signal)]);
  } catch (error) {
    // The total time limit interrupted this check, so the check is skipped and has not failed.
    if (end.aborted) return runCheck(check, context);
    const response = await sendProbe(target);
    if (response instanceof NoResponseError) {
      current.interruption = `The target stopped responding during the check "${check.name}": ${response.message}`;
    }
    throw error;
  }
}

for (const check of checks) {
  test(titleOf(check), { timeout: timeLimit }, (context) => runCheck(check, context));
}
