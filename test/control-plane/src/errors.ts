import { CodedError } from '@cloudstack-ccm/base';

/** Go is not installed, or is older than the pinned module needs. */
export class GoToolchainError extends CodedError {
  readonly code = 'GO_TOOLCHAIN';
}

/** `KUBEBUILDER_ASSETS` names a folder that does not hold what it should. */
export class AssetsError extends CodedError {
  readonly code = 'ASSETS';
  readonly folder: string;

  constructor(folder: string, missing: readonly string[]) {
    super(
      `KUBEBUILDER_ASSETS is ${folder}, but ${missing.join(' and ')} cannot be run from there. ` +
        'Point it to a folder that holds etcd and kube-apiserver, or unset it.',
    );
    this.folder = folder;
  }
}

/** `go build` ended with an error. The message ends with the last lines it printed. */
export class BuildError extends CodedError {
  readonly code = 'BUILD';
  readonly output: string;

  constructor(command: string, exit: string, output: string) {
    super(`${command} ended with ${exit}. Its last lines:\n${output}`);
    this.output = output;
  }
}

/** etcd or kube-apiserver ended by itself, or did not get ready. The message ends with the last lines it printed. */
export class ControlPlaneError extends CodedError {
  readonly code = 'CONTROL_PLANE';
  readonly output: string;

  constructor(what: string, output: string) {
    super(`${what}. Its last lines:\n${output}`);
    this.output = output;
  }
}

/** A request of `ApiClient` was answered with a status it did not expect. */
export class ApiRequestError extends CodedError {
  readonly code = 'API_REQUEST';
  readonly status: number;

  constructor(what: string, status: number, body: string) {
    super(`${what} was answered with HTTP ${status}: ${body}`);
    this.status = status;
  }
}
