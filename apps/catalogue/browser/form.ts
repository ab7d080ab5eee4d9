import { type FieldErrors, fieldNames, parseNewPet, readFormValues } from '../src/new-pet-form.ts';

const form = document.querySelector<HTMLFormElement>('form.new-animal');
if (form) enhance(form);

/** Checks the form before it is sent, and sends it once. */
function enhance(form: HTMLFormElement): void {
  let isSent = false;
  let hasBeenChecked = false;
  // In place of the browser's messages, which come one at a time, each field has its own.
  form.noValidate = true;

  function check(): FieldErrors {
    const result = parseNewPet(readFormValues(new FormData(form)));
    const errors = 'errors' in result ? result.errors : {};
    for (const name of fieldNames) showError(name, errors[name]);
    return errors;
  }

  form.addEventListener('submit', (event) => {
    hasBeenChecked = true;
    const [invalid] = Object.keys(check());
    if (invalid !== undefined || isSent) event.preventDefault();
    if (invalid !== undefined) return document.getElementById(invalid)?.focus();
    isSent = true;
    form.classList.add('sending');
  });
  // An error goes away once the user has corrected it. None comes up while a field is first filled in.
  form.addEventListener('input', () => hasBeenChecked && check());
  // Shown again by Back.
  addEventListener('pageshow', () => {
    isSent = false;
    form.classList.remove('sending');
  });
  resubmit(form);
}

function showError(name: string, message = ''): void {
  const error = document.getElementById(`${name}-error`);
  if (error && error.textContent !== message) error.textContent = message;
  const control = document.getElementById(name);
  if (message) control?.setAttribute('aria-invalid', 'true');
  else control?.removeAttribute('aria-invalid');
}

/** Sends a form that the pet store did not confirm again, unless the user sets about changing it. */
function resubmit(form: HTMLFormElement): void {
  const { retryDelay } = form.dataset;
  if (retryDelay === undefined) return;
  const timer = setTimeout(() => form.requestSubmit(), Number(retryDelay));
  form.addEventListener('input', () => clearTimeout(timer));
}
