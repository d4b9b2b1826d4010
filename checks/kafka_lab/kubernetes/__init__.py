"""A real Kubernetes control plane on this machine; only the kubelets, and so the containers, are simulated."""
